package grep

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"vyretop/megakernel"
	"vyretop/megakernel/ioservice"
	"vyretop/megakernel/workload"
)

// Driver is the value of "driver" in the manifest of a workload that this package supplies.
const Driver = "grep"

// Memory for pages, and its bounds.
const (
	DefaultPageKiB = 64
	DefaultFrames  = 64
	maxPageKiB     = 1024
)

// Definition is the Definition of a manifest with driver = "grep".
type Definition struct{ Manifest *workload.Manifest }

// Name implements workload.Definition.
func (d Definition) Name() string { return d.Manifest.Name }

// Title implements workload.Definition.
func (d Definition) Title() string { return d.Manifest.Title }

// Examples implements workload.Definition.
func (d Definition) Examples() []string { return d.Manifest.Examples }

// Flags implements workload.Definition.
func (d Definition) Flags() []workload.Flag {
	return []workload.Flag{
		{Name: "pattern", Default: DefaultPattern, Value: "REGEXP", Help: "count the lines that match this regular expression"},
		{Name: "path", Default: ".", Value: "PATH", Help: "a file, or a folder for the regular files below it"},
		{Name: "out", Value: "FILE", Help: "write path and number of lines of every file to this file"},
		{Name: "page", Default: strconv.Itoa(DefaultPageKiB), Value: "KIB", Help: "what is read of a file at a time, in KiB"},
		{Name: "frames", Default: strconv.Itoa(DefaultFrames), Value: "N", Help: "pages in memory at a time, and files in flight"},
	}
}

// DefaultPattern is what is searched when nothing is asked for.
const DefaultPattern = `\b(TODO|FIXME|XXX)\b`

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Pattern: DefaultPattern, Path: ".", PageBytes: DefaultPageKiB << 10, Frames: DefaultFrames}
	for name, v := range values {
		var err error
		switch name {
		case "pattern":
			o.Pattern = v
		case "path":
			o.Path = v
		case "out":
			o.Out = v
		case "page":
			o.PageBytes, err = number("--page", v, maxPageKiB)
			o.PageBytes <<= 10
		case "frames":
			o.Frames, err = number("--frames", v, megakernel.MaxFrames)
		default:
			err = workload.Failure(workload.ErrFlag, "--"+name, "grep has no such flag", nil, "use --pattern, --path, --out, --page or --frames")
		}
		if err != nil {
			return nil, err
		}
	}
	return New(d.Manifest, o), nil
}

func number(flag, text string, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0, workload.Failure(workload.ErrFlag, flag, fmt.Sprintf("%q does not fit", text), nil, fmt.Sprintf("use 1 to %d", most))
	}
	return n, nil
}

// Options say what to search and how much memory to use.
type Options struct {
	Pattern   string
	Path      string // file or folder
	Out       string // file for the counts, or ""
	PageBytes int    // a multiple of 4
	Frames    int
}

// Grep is one search. It implements workload.Workload.
type Grep struct {
	manifest *workload.Manifest
	opt      Options

	automaton *Automaton
	tree      *tree
	pages     []megakernel.Page
	first     []uint32 // page of each file, and one more at the end

	total   atomic.Int64    // bytes; above 0 only behind tree
	faulted atomic.Uint64   // tasks of files that could not be read
	result  *Result         // once it is asked for
	units   *workload.Units // files, where several hosts search them; nil for one
	hosts   int             // of units
	feed    *workload.Feed  // of units; nil: all are this process's
}

// New makes a search. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *Grep { return &Grep{manifest: m, opt: o} }

// Setup implements workload.Workload.
func (g *Grep) Setup(ctx context.Context) (*workload.Setup, error) {
	if err := workload.CheckOut(g.opt.Out); err != nil {
		return nil, err
	}
	var err error
	if g.automaton, err = Compile(g.opt.Pattern); err != nil {
		return nil, err
	}
	if g.tree, err = walk(ctx, g.opt.Path); err != nil {
		return nil, err
	}
	g.tree.page = int64(g.opt.PageBytes)
	g.total.Store(g.tree.bytes)
	g.cut()
	if g.hosts > 0 {
		g.units = workload.NewUnits(len(g.tree.files), g.hosts)
		g.units.Feed(g.feed)
	}
	setup, err := g.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	setup.Pages = &ioservice.Pages{List: g.pages, Frames: g.opt.Frames, Bytes: g.opt.PageBytes, Source: g.tree}
	return setup, g.fill(setup)
}

// cut makes the pages of all files.
func (g *Grep) cut() {
	for i, f := range g.tree.files {
		g.first = append(g.first, uint32(len(g.pages)))
		g.pages = ioservice.Cut(g.pages, uint32(i), f.size, g.opt.PageBytes)
	}
	g.first = append(g.first, uint32(len(g.pages)))
}

// fill gives the table its size and contents.
func (g *Grep) fill(setup *workload.Setup) error {
	if len(setup.Buffers) != 1 || setup.Buffers[0].Name != "table" {
		return workload.Invalid(workload.ErrMissing, workload.Where(g.manifest.File(), 0, `buffer "table"`), "the grep driver needs it, and no other", nil, "take the [[buffer]] from the shipped workload")
	}
	setup.Buffers[0].Words, setup.Buffers[0].Initial = len(g.automaton.Table), g.automaton.Table
	return nil
}

// Progress implements workload.Workload. It counts the pages that the search has passed, and files to their end.
func (g *Grep) Progress() (done, total int64, unit string) {
	if total = g.total.Load(); total > 0 {
		done = g.tree.through.Load()
	}
	return done, total, "B"
}
