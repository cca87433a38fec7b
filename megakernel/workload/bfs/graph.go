package bfs

import (
	"context"
	"slices"

	"vyretop/megakernel/workload"
)

// What fits into the buffers.
const (
	maxVertices = workload.MaxBufferWords / 2 // two words each in "vertices" and in "result"
	maxEdges    = workload.MaxBufferWords / 2 // two words each in "pairs" and in "targets"
)

// Graph is a graph with vertices 0 to Vertices-1.
type Graph struct {
	Vertices int
	Pairs    []uint32 // the two ends of each edge, as read; loops and repeated edges stay
	OneWay   bool     // levels follow an edge from its first end to its second only
}

// Edges is the number of edges.
func (g *Graph) Edges() int { return len(g.Pairs) / 2 }

// adjacency is a graph in compressed sparse rows: targets[offsets[v]:offsets[v+1]] is where arcs lead from v.
type adjacency struct {
	offsets []uint32 // one more than there are vertices
	targets []uint32
}

// adjacency sorts the arcs by the vertex where they begin: one arc an edge if the graph is one-way, otherwise two.
func (g *Graph) adjacency() adjacency {
	a := adjacency{offsets: make([]uint32, g.Vertices+1)}
	g.arcs(func(from, _ uint32) { a.offsets[from]++ })
	sum := uint32(0)
	for v, n := range a.offsets {
		a.offsets[v] = sum
		sum += n
	}
	a.targets = make([]uint32, sum)
	next := slices.Clone(a.offsets)
	g.arcs(func(from, to uint32) {
		a.targets[next[from]] = to
		next[from]++
	})
	return a
}

func (g *Graph) arcs(yield func(from, to uint32)) {
	for i := 0; i < len(g.Pairs); i += 2 {
		yield(g.Pairs[i], g.Pairs[i+1])
		if !g.OneWay {
			yield(g.Pairs[i+1], g.Pairs[i])
		}
	}
}

// degree is how many arcs leave a vertex.
func (a adjacency) degree(v uint32) uint32 { return a.offsets[v+1] - a.offsets[v] }

// busiest is the vertex that most arcs leave, the lowest one of several.
func (a adjacency) busiest() uint32 {
	best, most := uint32(0), uint32(0)
	for v := range len(a.offsets) - 1 {
		if n := a.degree(uint32(v)); n > most {
			best, most = uint32(v), n
		}
	}
	return best
}

// stepsBetweenLooks is after how many steps a search asks its context again: some milliseconds.
const stepsBetweenLooks = 1 << 16

// components gives each vertex the lowest vertex that edges connect it with, whatever their direction.
func (g *Graph) components(ctx context.Context) ([]uint32, error) {
	parents := identity(g.Vertices)
	root := func(v uint32) uint32 {
		for parents[v] != v {
			parents[v] = parents[parents[v]]
			v = parents[v]
		}
		return v
	}
	for i := 0; i < len(g.Pairs); i += 2 {
		if i%stepsBetweenLooks == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		a, b := root(g.Pairs[i]), root(g.Pairs[i+1])
		parents[max(a, b)] = min(a, b)
	}
	for v := range parents {
		parents[v] = root(uint32(v))
	}
	return parents, nil
}

func identity(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}
