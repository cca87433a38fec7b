package bfs

import (
	"time"

	"vyretop/megakernel/workload"
)

// Result is the "result" object of a run.
type Result struct {
	Vertices   int     `json:"vertices"`
	Edges      int     `json:"edges"` // as read, loops and repeated ones too
	Searches   int     `json:"searches"`
	Source     uint32  `json:"source"`                // of the first search
	LastSource *uint32 `json:"last_source,omitempty"` // of the last one, if there are several

	// Of the last search.
	Reached    int    `json:"reached"`              // vertices with a level
	Levels     int    `json:"levels"`               // of them, the source's included
	Frontier   int    `json:"largest_frontier"`     // vertices of the level that has most
	DensityBps uint16 `json:"frontier_density_bps"` // of the largest frontier, as in vyretop recommend

	// Of all searches.
	TotalReached  uint64  `json:"total_reached,omitempty"` // if there are several
	TotalLevels   uint64  `json:"total_levels,omitempty"`
	Traversed     uint64  `json:"traversed_edges"`                 // edges that leave a vertex reached, once for each search
	TraversedPerS float64 `json:"traversed_edges_per_s,omitempty"` // absent if the time is not known
	BottomUp      uint32  `json:"bottom_up_levels,omitempty"`      // levels that were searched from the unreached vertices
	Components    int     `json:"components"`
	Largest       int     `json:"largest_component"` // its vertices
	Digest        string  `json:"digest"`            // see the package comment
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// Taking is the result with the rate of a run that took so long.
func (r Result) Taking(d time.Duration) any {
	r.TraversedPerS = rate(r.Traversed, d)
	return r
}

// rate is that many edges a second; 0 if the time is not known.
func rate(edges uint64, d time.Duration) float64 {
	if s := d.Seconds(); s > 0 {
		return float64(int64(float64(edges) / s))
	}
	return 0
}

// found is what the device found.
type found struct {
	levels, components []uint32
	records            []record
	bottomUp           uint32 // levels
	digest             string
}

// resultWords is the size of the buffer "result".
func (b *BFS) resultWords() int { return b.at(len(b.sources)) }

// at is where the record of a search begins in the result.
func (b *BFS) at(search int) int { return 2*b.graph.Vertices + recordWords*search }

// read copies the result out of the kernel's memory, once.
func (b *BFS) read() *found {
	if b.found != nil {
		return b.found
	}
	words := make([]uint32, b.resultWords())
	b.result.CopyTo(words, 0)
	n := b.graph.Vertices
	f := &found{levels: words[:n], components: words[n : 2*n]}
	for search := range b.sources {
		at := words[b.at(search):]
		f.records = append(f.records, recordAt(func(i int) uint32 { return at[i] }, 0))
	}
	if len(b.sources) == 1 {
		words = words[:2*n]
	}
	f.digest = workload.Digest(words)
	f.bottomUp = b.status.Load().Load(statusUps)
	b.found = f
	return f
}

// Result implements workload.Workload.
func (b *BFS) Result() any {
	f := b.read()
	frontiers := count(f.levels)
	components := count(f.components)
	reached := b.graph.Vertices - frontiers[unreached]
	delete(frontiers, unreached)
	r := Result{
		Vertices: b.graph.Vertices, Edges: b.graph.Edges(), Searches: len(b.sources), Source: b.sources[0],
		Reached: reached, Levels: len(frontiers), Frontier: largest(frontiers),
		Components: len(components), Largest: largest(components), Digest: f.digest, BottomUp: f.bottomUp,
	}
	r.DensityBps = density(r.Frontier, r.Vertices)
	for _, search := range f.records {
		r.Traversed += uint64(search.arcs)
		r.TotalReached += uint64(search.reached)
		r.TotalLevels += uint64(search.levels)
	}
	if !b.graph.OneWay {
		r.Traversed /= 2 // each edge is two arcs, and either both leave a vertex reached or none
	}
	if r.Searches == 1 {
		r.TotalReached, r.TotalLevels = 0, 0
	} else {
		r.LastSource = &b.sources[r.Searches-1]
	}
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
