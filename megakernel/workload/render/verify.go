package render

import (
	"context"
	"errors"
	"fmt"
	"math"

	"vyretop/engine"
	"vyretop/engine/reference"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// Result is the "result" object of a render.
type Result struct {
	Width   int    `json:"width"`
	Height  int    `json:"height"`
	Samples int    `json:"samples"` // of each pixel
	Shapes  int    `json:"shapes"`
	Nodes   int    `json:"nodes"`
	Tiles   int    `json:"tiles"`
	Digest  string `json:"digest"` // see the package comment
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// Result implements workload.Workload.
func (r *Render) Result() any {
	return Result{
		Width: r.opt.width, Height: r.opt.height, Samples: r.opt.samples,
		Shapes: len(r.world.shapes), Nodes: len(r.nodes), Tiles: r.opt.tiles(), Digest: workload.Digest(r.read()),
	}
}

// read copies the image out of the kernel's memory, once.
func (r *Render) read() []uint32 {
	if r.final == nil {
		r.final = make([]uint32, 4*r.opt.width*r.opt.height)
		r.image.Load().CopyTo(r.final, 0)
	}
	return r.final
}

// verifyPaths is how many paths are followed again: those of all tiles of a small picture, or of evenly
// chosen tiles of a larger one, but of one at least.
const verifyPaths = 2048

// Verify implements workload.Workload: it renders tiles again on the reference backend, with another
// number of workers and lanes, and compares every bit. Of all pixels it checks that each sample was taken.
func (r *Render) Verify(ctx context.Context) (workload.Verification, error) {
	image := r.read()
	for i := range r.opt.width * r.opt.height {
		if n := math.Float32frombits(image[4*i+3]); n != float32(r.opt.samples) {
			return workload.Verification{Detail: fmt.Sprintf("pixel %d, %d has %g samples, not %d", i%r.opt.width, i/r.opt.width, n, r.opt.samples)}, nil
		}
	}
	tiles := r.chosen()
	again, err := r.again(ctx, tiles)
	if err != nil {
		return workload.Verification{}, err
	}
	pixels := 0
	for i := range r.opt.width * r.opt.height {
		if again[4*i+3] == 0 {
			continue // in none of the tiles
		}
		pixels++
		for k := range 4 {
			if image[4*i+k] != again[4*i+k] {
				return workload.Verification{Detail: fmt.Sprintf("pixel %d, %d, word %d is %#x, on the reference backend %#x", i%r.opt.width, i/r.opt.width, k, image[4*i+k], again[4*i+k])}, nil
			}
		}
	}
	return workload.Verification{OK: true, Detail: fmt.Sprintf("rendered again on the reference backend, equal to the last bit: %d of %d pixels", pixels, r.opt.width*r.opt.height)}, nil
}

// chosen are the tiles to render again.
func (r *Render) chosen() []int {
	all := r.opt.tiles()
	n := min(max(verifyPaths/(r.opt.samples*r.opt.tile*r.opt.tile), 1), all)
	out := make([]int, n)
	for i := range out {
		out[i] = (2*i + 1) * all / (2 * n)
	}
	return out
}

// again renders some tiles on the reference backend and returns the image.
func (r *Render) again(ctx context.Context, tiles []int) (image []uint32, err error) {
	setup, err := r.setup()
	if err != nil {
		return nil, err
	}
	b, err := reference.Open(reference.Options{Seed: uint64(len(tiles))})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	s, err := start(ctx, b, setup)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	list := make([]tasks.Task, len(tiles))
	for i, tile := range tiles {
		list[i] = r.task(tile)
	}
	if err := s.Publish(ctx, list); err != nil {
		return nil, err
	}
	if err := s.AwaitRest(ctx); err != nil {
		return nil, err
	}
	image = make([]uint32, 4*r.opt.width*r.opt.height)
	s.Buffer("image").CopyTo(image, 0)
	return image, nil
}

// start launches the kernel of a setup with 4 lanes.
func start(ctx context.Context, b engine.Backend, setup *workload.Setup) (*resident.Session, error) {
	c := setup.Config()
	c.WorkgroupSize = 4
	c.Suit(b.Profile())
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	o := resident.Options{Activation: setup.Iterations, Log: resident.NoLog}
	for _, buf := range setup.Buffers {
		o.Buffers = append(o.Buffers, resident.BufferInit{Name: buf.Name, Binding: buf.Binding, Words: buf.Words, Data: buf.Initial, Placement: engine.HostVisible})
	}
	return resident.Start(ctx, b, k, o)
}
