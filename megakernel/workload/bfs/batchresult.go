package bfs

import (
	"context"
	"fmt"
	"time"

	"vyretop/megakernel/workload"
)

// BatchResult is the "result" object of a run of many searches.
type BatchResult struct {
	Graphs        int     `json:"graphs"`
	Vertices      int     `json:"vertices"` // of all graphs
	Edges         int     `json:"edges"`    // as read, loops and repeated ones too
	Searches      int     `json:"searches"`
	TotalReached  uint64  `json:"total_reached"` // vertices, once for each search
	TotalLevels   uint64  `json:"total_levels"`
	Traversed     uint64  `json:"traversed_edges"`                 // edges that leave a vertex reached, once for each search
	TraversedPerS float64 `json:"traversed_edges_per_s,omitempty"` // absent if the time is not known
	Digest        string  `json:"digest"`                          // of the records of all searches
}

// ResultDigest is the digest of the result.
func (r BatchResult) ResultDigest() string { return r.Digest }

// Taking is the result with the rate of a run that took so long.
func (r BatchResult) Taking(d time.Duration) any {
	r.TraversedPerS = rate(r.Traversed, d)
	return r
}

// Result implements workload.Workload.
func (b *Batch) Result() any {
	r := BatchResult{Graphs: b.graphs, Vertices: b.graph.Vertices, Edges: b.edges, Searches: len(b.sources)}
	words := make([]uint32, 0, recordWords*len(b.records))
	for _, search := range b.records {
		r.TotalReached += uint64(search.reached)
		r.TotalLevels += uint64(search.levels)
		r.Traversed += uint64(search.arcs)
		w := search.words()
		words = append(words, w[:]...)
	}
	if !b.graph.OneWay {
		r.Traversed /= 2 // each edge is two arcs, and either both leave a vertex reached or none
	}
	r.Digest = workload.Digest(words)
	return r
}

// Verify implements workload.Workload: it compares searches with plain ones on the host, as many as the bound allows, and where edges
// have no direction all of them with the components of the graphs.
func (b *Batch) Verify(ctx context.Context) (workload.Verification, error) {
	components, err := b.graph.components(ctx)
	if err != nil {
		return workload.Verification{}, err
	}
	if v := b.checkReached(b.records, components); v != "" {
		return wrong(v), nil
	}
	n := len(b.sources)
	chosen := choose(n, max(1, verifiedArcs/max(1, len(b.arcs.targets))))
	if v, err := b.checkRecords(ctx, b.records, chosen); v != "" || err != nil {
		return wrong(v), err
	}
	detail := fmt.Sprintf("vertices, levels, arcs and checksum of each of %d searches are those of a plain one", n)
	if len(chosen) < n {
		detail = fmt.Sprintf("vertices, levels, arcs and checksum of %d of %d searches are those of a plain one", len(chosen), n)
	}
	return workload.Verification{OK: true, Detail: detail}, nil
}
