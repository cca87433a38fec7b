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

// verifyPaths is how many paths are followed again: those of all pixels of a small picture, or of evenly chosen pixels of a larger
// one, but of as many pixels as a tile has at least.
const verifyPaths = 2048

// verifyTiles bounds the tiles of a verification.
const verifyTiles = 1 << 18

// Verify implements workload.Workload: it renders pixels again on the reference backend, with another
// number of workers and lanes, and compares every bit. Of all pixels it checks that each sample was taken.
func (r *Render) Verify(ctx context.Context) (workload.Verification, error) {
	image := r.read()
	for i := range r.opt.width * r.opt.height {
		if n := math.Float32frombits(image[4*i+3]); n != float32(r.opt.samples) {
			return workload.Verification{Detail: fmt.Sprintf("pixel %d, %d has %g samples, not %d", i%r.opt.width, i/r.opt.width, n, r.opt.samples)}, nil
		}
	}
	again, err := r.again(ctx)
	if err != nil {
		return workload.Verification{}, err
	}
	pixels := 0
	for i := range r.opt.width * r.opt.height {
		if again[4*i+3] == 0 {
			continue // it was not chosen
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

// again is the picture with the smallest tiles for which there is room: a tile's paths follow one another, and a pixel may have
// many.
func (p picture) again() picture {
	for p.tile = 1; p.tiles() > verifyTiles; p.tile++ {
	}
	return p
}

// chosen are the tiles of p, which is r's picture in smaller tiles, to render again.
func (r *Render) chosen(p picture) []int {
	pixels := max(verifyPaths/p.samples, r.opt.tile*r.opt.tile)
	all := p.tiles()
	n := min(max(pixels/(p.tile*p.tile), 1), all)
	out := make([]int, n)
	for i := range out {
		out[i] = (2*i + 1) * all / (2 * n)
	}
	return out
}

// again renders some pixels on the reference backend and returns the image.
func (r *Render) again(ctx context.Context) (image []uint32, err error) {
	p := r.opt.picture.again()
	tiles := r.chosen(p)
	setup, err := r.setup(p)
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
