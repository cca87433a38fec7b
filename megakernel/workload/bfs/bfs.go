package bfs

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel/workload"
)

// Driver is the value of "driver" in the manifest of a workload that this package supplies.
const Driver = "bfs"

// DefaultGenerate is the graph when none is asked for.
const DefaultGenerate = "kronecker:14"

// Definition is the Definition of a manifest with driver = "bfs".
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
		{Name: "graph", Value: "FILE", Help: "edge list or Matrix Market file, plain or gzip"},
		{Name: "generate", Default: DefaultGenerate, Value: "SPEC", Help: "kronecker:SCALE[:EDGEFACTOR[:SEED]], a Graph500 graph, where no file is given"},
		{Name: "source", Value: "VERTEX", Help: "where the first search begins, counted from 0 (default: the vertex with most edges)"},
		{Name: "searches", Default: "1", Value: "N", Help: "searches, one after the other; the others begin at vertices that are drawn"},
		{Name: "edges", Default: "undirected", Value: "KIND", Help: "undirected, or directed: levels follow edges from their first vertex to their second"},
	}
}

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Generate: DefaultGenerate, Searches: 1}
	for name, v := range values {
		switch name {
		case "graph":
			o.Graph = v
		case "generate":
			o.Generate = v
		case "source":
			n, err := strconv.ParseUint(v, 10, 32)
			if err != nil {
				return nil, workload.Failure(workload.ErrFlag, "--source", fmt.Sprintf("%q is not a vertex", v), nil, "use a number from 0 on")
			}
			o.Source = new(uint32)
			*o.Source = uint32(n)
		case "searches":
			n, err := parseSearches(v)
			if err != nil {
				return nil, err
			}
			o.Searches = n
		case "edges":
			directed, err := parseEdges(v)
			if err != nil {
				return nil, err
			}
			o.Directed = directed
		default:
			return nil, workload.Failure(workload.ErrFlag, "--"+name, "bfs has no such flag", nil, "use --graph, --generate, --source, --searches or --edges")
		}
	}
	_, generated := values["generate"]
	if o.Graph != "" && generated {
		return nil, bothGraphs()
	}
	if _, err := ParseKronecker(o.Generate); err != nil {
		return nil, err
	}
	return New(d.Manifest, o), nil
}

// parseSearches reads the value of --searches.
func parseSearches(v string) (int, error) {
	n, err := strconv.ParseUint(v, 10, 32)
	if err != nil || n < 1 || n > maxSearches {
		return 0, workload.Failure(workload.ErrFlag, "--searches", fmt.Sprintf("%q is not a number of searches", v), nil, fmt.Sprintf("use a number from 1 to %d", maxSearches))
	}
	return int(n), nil
}

// parseEdges reads the value of --edges.
func parseEdges(v string) (directed bool, err error) {
	if v != "directed" && v != "undirected" {
		return false, workload.Failure(workload.ErrFlag, "--edges", fmt.Sprintf("%q is unknown", v), nil, "use undirected or directed")
	}
	return v == "directed", nil
}

func bothGraphs() error {
	return workload.Failure(workload.ErrFlag, "--generate", "a graph is given with --graph too", nil, "leave one of the two out")
}

// Options say what to search.
type Options struct {
	Graph    string  // file; if "", Generate says what to generate
	Generate string  // see ParseKronecker
	Source   *uint32 // of the first search; nil: the vertex that most arcs leave
	Searches int     // at least 1
	Directed bool    // levels follow an edge's direction
}

// BFS is a number of searches of one graph. It implements workload.Workload.
type BFS struct {
	manifest *workload.Manifest
	opt      Options

	given *Graph // instead of one that is read or generated, in tests
	searched
	base uint32 // stamp of the first source

	status atomic.Pointer[engine.Words] // while it runs, and afterwards
	result engine.Words                 // once there is a status
	found  *found                       // once the result has been read
	steps  steps
}

// steps is what was read of the progress.
type steps struct {
	sync.Mutex
	searches int   // whose arcs are counted,
	arcs     int64 // and how many these are
	done     int64 // reported last
}

// New makes the searches. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *BFS { return &BFS{manifest: m, opt: o, base: firstStamp} }

// Setup implements workload.Workload.
func (b *BFS) Setup(ctx context.Context) (*workload.Setup, error) {
	var err error
	if b.graph, err = b.load(ctx); err != nil {
		return nil, err
	}
	b.arcs = b.graph.adjacency()
	source := b.arcs.busiest()
	if b.opt.Source != nil {
		source = *b.opt.Source
	}
	if int(source) >= b.graph.Vertices {
		return nil, workload.Failure(workload.ErrFlag, "--source", fmt.Sprintf("vertex %d does not exist", source), nil, fmt.Sprintf("use 0 to %d", b.graph.Vertices-1))
	}
	b.sources = b.arcs.sources(source, b.opt.Searches)
	setup, err := b.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	return setup, b.fill(setup)
}

func (b *BFS) load(ctx context.Context) (*Graph, error) {
	g, err := b.input(ctx)
	if err != nil {
		return nil, err
	}
	g.OneWay = g.OneWay && b.opt.Directed
	return g, nil
}

func (b *BFS) input(ctx context.Context) (*Graph, error) {
	if b.given != nil {
		return b.given, nil
	}
	if b.opt.Graph != "" {
		return Read(ctx, b.opt.Graph)
	}
	k, err := ParseKronecker(b.opt.Generate)
	if err != nil {
		return nil, err
	}
	return k.Graph(), nil
}

// fill gives the manifest's buffers their sizes and contents.
func (b *BFS) fill(setup *workload.Setup) error {
	n := b.graph.Vertices
	return fill(b.manifest, setup, map[string]workload.Buffer{
		"offsets":  {Initial: b.arcs.offsets},
		"targets":  {Initial: b.arcs.targets, Words: 1},
		"pairs":    {Initial: b.graph.Pairs, Words: 2},
		"vertices": {Initial: b.vertices()},
		"queue":    {Initial: b.sources[:1], Words: n},
		"counts":   {Initial: b.counts()},
		"status":   {Words: statusWords, Initial: []uint32{statusFrontier: 1, statusWidest: 1}},
		"result":   {Words: b.resultWords()},
	})
}

// fill gives the buffers of a manifest sizes and contents, by their names.
func fill(m *workload.Manifest, setup *workload.Setup, contents map[string]workload.Buffer) error {
	for i := range setup.Buffers {
		buf := &setup.Buffers[i]
		want, ok := contents[buf.Name]
		if !ok {
			return workload.Invalid(workload.ErrValue, workload.Where(m.File(), 0, "buffer "+buf.Name), "the "+m.Driver+" driver does not fill it", nil, "remove the buffer")
		}
		buf.Initial = want.Initial
		buf.Words = max(want.Words, len(want.Initial))
		delete(contents, buf.Name)
	}
	for name := range contents {
		return workload.Invalid(workload.ErrMissing, workload.Where(m.File(), 0, "buffer "+name), "the "+m.Driver+" driver needs it", nil, "take the [[buffer]] from the shipped workload")
	}
	return nil
}

// vertices are the initial stamps and parents: only the first source is reached, and each is its own parent.
func (b *BFS) vertices() []uint32 {
	out := make([]uint32, 2*b.graph.Vertices)
	for v := range b.graph.Vertices {
		out[2*v+1] = uint32(v)
	}
	out[2*b.sources[0]] = b.base
	return out
}
