package render

import (
	"context"
	"math"
	"path/filepath"
	"sort"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel/workload"
)

// Driver is the value of "driver" in the manifest of a workload that this package supplies.
const Driver = "render"

// sceneFile is the default scene in the workload's folder.
const sceneFile = "scene.toml"

// Definition is the Definition of a manifest with driver = "render".
type Definition struct{ Manifest *workload.Manifest }

// Name implements workload.Definition.
func (d Definition) Name() string { return d.Manifest.Name }

// Title implements workload.Definition.
func (d Definition) Title() string { return d.Manifest.Title }

// Examples implements workload.Definition.
func (d Definition) Examples() []string { return d.Manifest.Examples }

// Options say what to render.
type Options struct {
	Scene string // file, or "" for the one in the workload's folder
	Out   string // PNG file, or ""
	picture
}

// numbers: the largest picture fits its buffers, the largest tile its continuation.
var numbers = []workload.Number[Options]{
	{Name: "width", Default: 240, Min: 1, Max: 4096, Help: "width of the picture, in pixels", Set: func(o *Options, n int) { o.width = n }},
	{Name: "height", Default: 160, Min: 1, Max: 4096, Help: "height of the picture, in pixels", Set: func(o *Options, n int) { o.height = n }},
	{Name: "samples", Default: 16, Min: 1, Max: 1 << 20, Help: "paths for each pixel", Set: func(o *Options, n int) { o.samples = n }},
	{Name: "depth", Default: 5, Min: 1, Max: 64, Help: "maximum number of rays of a path", Set: func(o *Options, n int) { o.depth = n }},
	{Name: "tile", Default: 8, Min: 1, Max: 64, Help: "edge of the square that a task renders, in pixels", Set: func(o *Options, n int) { o.tile = n }},
	{Name: "scene-seed", Default: 1, Min: 0, Max: math.MaxUint32, Help: "seed of the random numbers", Set: func(o *Options, n int) { o.picture.seed = uint32(n) }},
}

// Flags implements workload.Definition.
func (d Definition) Flags() []workload.Flag {
	out := []workload.Flag{
		{Name: "scene", Value: "FILE", Help: "the scene, in TOML (default: a shipped one)"},
		{Name: "out", Value: "FILE", Help: "write the picture to this PNG file, again and again while it gets better"},
	}
	return append(out, workload.NumberFlags(numbers)...)
}

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Scene: values["scene"], Out: values["out"]}
	if err := workload.SetNumbers(&o, "render", numbers, values, "scene", "out"); err != nil {
		return nil, err
	}
	return New(d.Manifest, o), nil
}

// Render is one picture of one scene. It implements workload.Workload.
type Render struct {
	manifest *workload.Manifest
	opt      Options
	world    *World
	nodes    []node

	image atomic.Pointer[engine.Words] // while it runs, and afterwards
	tiles atomic.Int64                 // that are complete
	final []uint32                     // the image, once it has been read

	shared *shared // where several hosts make the picture, which image is then; nil for one
}

// New makes a render. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *Render { return &Render{manifest: m, opt: o} }

// Setup implements workload.Workload.
func (r *Render) Setup(context.Context) (*workload.Setup, error) {
	if err := workload.CheckOut(r.opt.Out); err != nil {
		return nil, err
	}
	var err error
	if r.opt.Scene == "" {
		r.world, err = Load(r.manifest.ReadFile, sceneFile, sceneFile)
	} else {
		r.world, err = Load(Folder(r.opt.Scene), filepath.Base(r.opt.Scene), r.opt.Scene)
	}
	if err != nil {
		return nil, err
	}
	r.nodes = r.world.tree()
	return r.setup(r.opt.picture)
}

// setup is what the kernel needs to render p, for the run and for its verification.
func (r *Render) setup(p picture) (*workload.Setup, error) {
	setup, err := r.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	pixels := 4 * p.width * p.height
	contents := map[string]workload.Buffer{
		"nodes":     {Initial: nodeWords(r.nodes)},
		"shapes":    {Initial: r.world.shapeWords()},
		"materials": {Initial: r.world.materialWords()},
		"view":      {Initial: r.world.view(p, len(r.nodes))},
		"rays":      {Words: 16 * p.tiles()},
		"sums":      {Words: pixels},
		"image":     {Words: pixels},
	}
	for i := range setup.Buffers {
		b := &setup.Buffers[i]
		want, ok := contents[b.Name]
		if !ok {
			return nil, workload.Invalid(workload.ErrValue, workload.Where(r.manifest.File(), 0, "buffer "+b.Name), "the render driver does not fill it", nil, "remove the buffer")
		}
		b.Initial, b.Words = want.Initial, max(want.Words, len(want.Initial))
		if b.Name == "image" {
			b.Picture = p.shown()
		}
		delete(contents, b.Name)
	}
	for name := range contents {
		return nil, workload.Invalid(workload.ErrMissing, workload.Where(r.manifest.File(), 0, "buffer "+name), "the render driver needs it", nil, "take the [[buffer]] from the shipped workload")
	}
	return setup, nil
}

// Progress implements workload.Workload. It counts the samples that the image has. The pixels of a tile get
// their samples in order, so a few of them tell how many the whole tile has.
func (r *Render) Progress() (done, total int64, unit string) {
	total = int64(r.opt.width) * int64(r.opt.height) * int64(r.opt.samples)
	if r.shared != nil {
		done = r.shared.samples(r)
	} else if image := r.image.Load(); image != nil {
		for i := range r.opt.tiles() {
			done += r.tileSamples(*image, i)
		}
	}
	return min(done, total), total, "samples"
}

// tileSamples is how many samples the pixels of a tile have in all. All have as many as the last one, and
// those before the one whose turn it is one more.
func (r *Render) tileSamples(image engine.Words, tile int) int64 {
	left, top, wide, high := r.opt.area(tile)
	samples := func(pixel int) float32 {
		at := (top+pixel/wide)*r.opt.width + left + pixel%wide
		return math.Float32frombits(image.Load(4*at + 3))
	}
	pixels := wide * high
	last := samples(pixels - 1)
	ahead := sort.Search(pixels-1, func(pixel int) bool { return samples(pixel) <= last })
	return int64(last)*int64(pixels) + int64(ahead)
}
