package bfs

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"vyretop/megakernel/workload"
)

// BatchDriver is the value of "driver" in the manifest of a workload with many searches that are tasks.
const BatchDriver = "bfs-batch"

// DefaultBatchGenerate is the graph of a batch when none is asked for.
const DefaultBatchGenerate = "kronecker:10"

// defaultBatchSearches is how many searches of each graph there are when nothing is said.
const defaultBatchSearches = 64

// Words of the memory of a batch.
const (
	stateWords  = 9       // of the state of a search, as bfs-batch.glsl declares it
	frameHead   = 2       // of the buffer "frames", in front of the bits
	frameBits   = 32      // of a word
	maxFrames   = 1024    // searches at the same time
	framesWords = 1 << 24 // that the marks of all frames have together, but for one frame
)

// BatchDefinition is the Definition of a manifest with driver = "bfs-batch".
type BatchDefinition struct{ Manifest *workload.Manifest }

// Name implements workload.Definition.
func (d BatchDefinition) Name() string { return d.Manifest.Name }

// Title implements workload.Definition.
func (d BatchDefinition) Title() string { return d.Manifest.Title }

// Examples implements workload.Definition.
func (d BatchDefinition) Examples() []string { return d.Manifest.Examples }

// Flags implements workload.Definition.
func (d BatchDefinition) Flags() []workload.Flag {
	return []workload.Flag{
		{Name: "graph", Value: "PATH", Help: "edge list or Matrix Market file, plain or gzip, or a folder of such files"},
		{Name: "generate", Default: DefaultBatchGenerate, Value: "SPEC", Help: "kronecker:SCALE[:EDGEFACTOR[:SEED]], a Graph500 graph, where no file is given"},
		{Name: "searches", Default: strconv.Itoa(defaultBatchSearches), Value: "N", Help: "searches of each graph: from the vertex with most edges, and from vertices that are drawn"},
		{Name: "edges", Default: "undirected", Value: "KIND", Help: "undirected, or directed: levels follow edges from their first vertex to their second"},
	}
}

// New implements workload.Definition.
func (d BatchDefinition) New(values map[string]string) (workload.Workload, error) {
	o := BatchOptions{Generate: DefaultBatchGenerate, Searches: defaultBatchSearches}
	for name, v := range values {
		var err error
		switch name {
		case "graph":
			o.Graph = v
		case "generate":
			o.Generate = v
		case "searches":
			o.Searches, err = parseSearches(v)
		case "edges":
			o.Directed, err = parseEdges(v)
		default:
			err = workload.Failure(workload.ErrFlag, "--"+name, "bfs-batch has no such flag", nil, "use --graph, --generate, --searches or --edges")
		}
		if err != nil {
			return nil, err
		}
	}
	if _, generated := values["generate"]; o.Graph != "" && generated {
		return nil, bothGraphs()
	}
	if _, err := ParseKronecker(o.Generate); err != nil {
		return nil, err
	}
	return NewBatch(d.Manifest, o), nil
}

// BatchOptions say what to search.
type BatchOptions struct {
	Graph    string // file, or folder of files; if "", Generate says what to generate
	Generate string // see ParseKronecker
	Searches int    // of each graph, at least 1
	Directed bool   // levels follow an edge's direction
}

// Batch is many searches of graphs that do not know of each other. It implements workload.Queued: its units are searches.
type Batch struct {
	manifest *workload.Manifest
	opt      BatchOptions

	searched
	graphs  int      // that graph consists of
	edges   int      // of them, as read
	frames  int      // searches that a device does at the same time
	records []record // by search

	hosts int // 0: one, which does all searches
	feed  *workload.Feed
	units *workload.Units
	done  atomic.Int64 // searches whose records are there
}

// NewBatch makes the searches. The manifest names buffers and handler.
func NewBatch(m *workload.Manifest, o BatchOptions) *Batch { return &Batch{manifest: m, opt: o} }

// Setup implements workload.Workload.
func (b *Batch) Setup(ctx context.Context) (*workload.Setup, error) {
	list, err := b.load(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.unite(list); err != nil {
		return nil, err
	}
	b.frames = max(1, min(maxFrames, len(b.sources), framesWords/b.graph.Vertices))
	b.records = make([]record, len(b.sources))
	b.units = workload.NewUnits(len(b.sources), max(b.hosts, 1))
	b.units.Feed(b.feed)
	setup, err := b.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	return setup, fill(b.manifest, setup, map[string]workload.Buffer{
		"offsets": {Initial: b.arcs.offsets},
		"targets": {Initial: b.arcs.targets, Words: 1},
		"frames":  {Initial: b.freeFrames()},
		"marks":   {Words: b.frames * b.graph.Vertices},
		"queues":  {Words: b.frames * b.graph.Vertices},
		"states":  {Words: b.frames * stateWords},
		"records": {Words: len(b.sources) * recordWords},
	})
}

// freeFrames is the buffer "frames" before the first search.
func (b *Batch) freeFrames() []uint32 {
	words := (b.frames + frameBits - 1) / frameBits
	out := make([]uint32, frameHead+words)
	out[0], out[1] = uint32(b.graph.Vertices), uint32(words)
	for i := range b.frames {
		out[frameHead+i/frameBits] |= 1 << (i % frameBits)
	}
	return out
}

// unite makes one graph of all, side by side: a search stays in the one where it begins. Each has its searches, one graph after the other.
func (b *Batch) unite(list []*Graph) error {
	b.graph, b.graphs, b.edges, b.sources = &Graph{}, len(list), 0, nil
	for _, g := range list {
		b.graph.OneWay = b.graph.OneWay || g.OneWay
	}
	for _, g := range list {
		if g.Vertices > maxVertices-b.graph.Vertices || 2*g.Edges() > maxEdges-b.graph.Edges() || b.opt.Searches > maxSearches-len(b.sources) {
			return workload.Failure(workload.ErrInput, b.opt.Graph, fmt.Sprintf("the graphs have more than %d vertices, %d edges in both directions, or %d searches together", maxVertices, maxEdges, maxSearches), nil, "search fewer graphs at a time")
		}
		a := g.adjacency()
		base := uint32(b.graph.Vertices)
		for _, v := range a.sources(a.busiest(), b.opt.Searches) {
			b.sources = append(b.sources, base+v)
		}
		for i := 0; i < len(g.Pairs); i += 2 {
			from, to := base+g.Pairs[i], base+g.Pairs[i+1]
			if b.graph.Pairs = append(b.graph.Pairs, from, to); b.graph.OneWay && !g.OneWay {
				b.graph.Pairs = append(b.graph.Pairs, to, from)
			}
		}
		b.graph.Vertices += g.Vertices
		b.edges += g.Edges()
	}
	b.arcs = b.graph.adjacency()
	return nil
}
