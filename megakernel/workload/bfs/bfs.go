package bfs

import (
	"context"
	"fmt"
	"strconv"
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
		{Name: "source", Value: "VERTEX", Help: "where the search begins, counted from 0 (default: the vertex with most edges)"},
		{Name: "edges", Default: "undirected", Value: "KIND", Help: "undirected, or directed: levels follow edges from their first vertex to their second"},
	}
}

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Generate: DefaultGenerate}
	for name, v := range values {
		switch name {
		case "graph":
			o.Graph = v
		case "generate":
			o.Generate = v
		case "source":
			n, err := strconv.ParseUint(v, 10, 32)
			if err != nil {
				return nil, &workload.Error{Kind: workload.ErrFlag, Name: "--source", Detail: fmt.Sprintf("%q is not a vertex", v), Fix: "use a number from 0 on"}
			}
			o.Source = new(uint32)
			*o.Source = uint32(n)
		case "edges":
			if v != "directed" && v != "undirected" {
				return nil, &workload.Error{Kind: workload.ErrFlag, Name: "--edges", Detail: fmt.Sprintf("%q is unknown", v), Fix: "use undirected or directed"}
			}
			o.Directed = v == "directed"
		default:
			return nil, &workload.Error{Kind: workload.ErrFlag, Name: "--" + name, Detail: "bfs has no such flag", Fix: "use --graph, --generate, --source or --edges"}
		}
	}
	_, generated := values["generate"]
	if o.Graph != "" && generated {
		return nil, &workload.Error{Kind: workload.ErrFlag, Name: "--generate", Detail: "a graph is given with --graph too", Fix: "leave one of the two out"}
	}
	if _, err := ParseKronecker(o.Generate); err != nil {
		return nil, err
	}
	return New(d.Manifest, o), nil
}

// Options say what to search.
type Options struct {
	Graph    string  // file; if "", Generate says what to generate
	Generate string  // see ParseKronecker
	Source   *uint32 // nil: the vertex that most arcs leave
	Directed bool    // levels follow an edge's direction
}

// BFS is one search of one graph. It implements workload.Workload.
type BFS struct {
	manifest *workload.Manifest
	opt      Options

	given  *Graph // instead of one that is read or generated, in tests
	graph  *Graph
	arcs   adjacency
	source uint32

	total  int64
	status atomic.Pointer[engine.Words] // while it runs, and afterwards
	result engine.Words
	found  *found // once the result has been read
}

// New makes a search. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *BFS { return &BFS{manifest: m, opt: o} }

// Setup implements workload.Workload.
func (b *BFS) Setup(ctx context.Context) (*workload.Setup, error) {
	var err error
	if b.graph, err = b.load(ctx); err != nil {
		return nil, err
	}
	b.arcs = b.graph.adjacency()
	b.source = b.arcs.busiest()
	if b.opt.Source != nil {
		b.source = *b.opt.Source
	}
	if int(b.source) >= b.graph.Vertices {
		return nil, &workload.Error{Kind: workload.ErrFlag, Name: "--source", Detail: fmt.Sprintf("vertex %d does not exist", b.source), Fix: fmt.Sprintf("use 0 to %d", b.graph.Vertices-1)}
	}
	b.total = int64(len(b.arcs.targets) + b.graph.Edges() + b.graph.Vertices)
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
	contents := map[string]workload.Buffer{
		"offsets":  {Initial: b.arcs.offsets},
		"targets":  {Initial: b.arcs.targets, Words: 1},
		"pairs":    {Initial: b.graph.Pairs, Words: 2},
		"vertices": {Initial: b.vertices()},
		"queue":    {Initial: []uint32{b.source}, Words: n},
		"counts":   {Initial: initialCounts(n), Words: countWords},
		"status":   {Words: statusWords, Initial: []uint32{statusFrontier: 1}},
		"result":   {Words: 2 * n},
	}
	for i := range setup.Buffers {
		buf := &setup.Buffers[i]
		want, ok := contents[buf.Name]
		if !ok {
			return &workload.ManifestError{Kind: workload.ErrValue, File: b.manifest.File(), Item: "buffer " + buf.Name, Detail: "the bfs driver does not fill it", Fix: "remove the buffer"}
		}
		buf.Initial = want.Initial
		buf.Words = max(want.Words, len(want.Initial))
		delete(contents, buf.Name)
	}
	for name := range contents {
		return &workload.ManifestError{Kind: workload.ErrMissing, File: b.manifest.File(), Item: "buffer " + name, Detail: "the bfs driver needs it", Fix: "take the [[buffer]] from the shipped workload"}
	}
	return nil
}

// vertices are the initial levels and parents: only the source is reached, and each is its own parent.
func (b *BFS) vertices() []uint32 {
	out := make([]uint32, 2*b.graph.Vertices)
	for v := range b.graph.Vertices {
		out[2*v], out[2*v+1] = unreached, uint32(v)
	}
	out[2*b.source] = 0
	return out
}
