package bfs

import (
	"context"
	"fmt"

	"vyretop/megakernel/workload"
)

// Result is the "result" object of a search.
type Result struct {
	Vertices   int    `json:"vertices"`
	Edges      int    `json:"edges"` // as read, loops and repeated ones too
	Source     uint32 `json:"source"`
	Reached    int    `json:"reached"` // vertices with a level
	Levels     int    `json:"levels"`  // of them, the source's included
	Components int    `json:"components"`
	Largest    int    `json:"largest_component"`    // its vertices
	Frontier   int    `json:"largest_frontier"`     // vertices of the level that has most
	DensityBps uint16 `json:"frontier_density_bps"` // of the largest frontier, as in vyretop recommend
	Digest     string `json:"digest"`               // see the package comment
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// found is what the device found.
type found struct {
	levels, components []uint32
	digest             string
}

// read copies the result out of the kernel's memory, once.
func (b *BFS) read() *found {
	if b.found == nil {
		words := make([]uint32, 2*b.graph.Vertices)
		b.result.CopyTo(words, 0)
		n := b.graph.Vertices
		b.found = &found{levels: words[:n], components: words[n:], digest: workload.Digest(words)}
	}
	return b.found
}

// Result implements workload.Workload.
func (b *BFS) Result() any {
	f := b.read()
	frontiers := count(f.levels)
	components := count(f.components)
	reached := b.graph.Vertices - frontiers[unreached]
	delete(frontiers, unreached)
	r := Result{
		Vertices: b.graph.Vertices, Edges: b.graph.Edges(), Source: b.source,
		Reached: reached, Levels: len(frontiers), Frontier: largest(frontiers),
		Components: len(components), Largest: largest(components), Digest: f.digest,
	}
	r.DensityBps = density(r.Frontier, r.Vertices)
	return r
}

// count says how often each value is there.
func count(values []uint32) map[uint32]int {
	n := map[uint32]int{}
	for _, v := range values {
		n[v]++
	}
	return n
}

func largest(counts map[uint32]int) int {
	most := 0
	for _, n := range counts {
		most = max(most, n)
	}
	return most
}

// Verify implements workload.Workload: it compares every vertex with a plain search on the host.
func (b *BFS) Verify(ctx context.Context) (workload.Verification, error) {
	levels, err := b.arcs.levels(ctx, b.source)
	if err != nil {
		return workload.Verification{}, err
	}
	components, err := b.graph.components(ctx)
	if err != nil {
		return workload.Verification{}, err
	}
	f := b.read()
	for _, c := range []struct {
		what      string
		got, want []uint32
	}{{"level", f.levels, levels}, {"component", f.components, components}} {
		for v, want := range c.want {
			if c.got[v] != want {
				return workload.Verification{Detail: fmt.Sprintf("vertex %d has %s %d, a plain search finds %d", v, c.what, c.got[v], want)}, nil
			}
		}
	}
	return workload.Verification{OK: true, Detail: fmt.Sprintf("levels and components of all %d vertices are those of a plain search", b.graph.Vertices)}, nil
}
