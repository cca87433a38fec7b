package bfs

import (
	"context"
	"math/bits"
)

// searched is a graph, and where its searches begin.
type searched struct {
	graph   *Graph
	arcs    adjacency
	sources []uint32 // of each search
}

// maxSearches is how many searches a run may have.
const maxSearches = 1 << 20

// sourceSeed is where the sequence begins that draws sources.
const sourceSeed = 1

// sources are where n searches begin: the first one as given, the others drawn from the vertices that an arc leaves, in
// ascending order: floor(next * vertices / 2^64) of the sequence splitmix64. A vertex may be drawn twice. A graph
// without arcs is searched from the given one only.
func (a adjacency) sources(first uint32, n int) []uint32 {
	list := make([]uint32, 1, max(n, 1))
	list[0] = first
	if n <= 1 {
		return list
	}
	var leaving []uint32
	for v := range uint32(len(a.offsets) - 1) {
		if a.offsets[v] != a.offsets[v+1] {
			leaving = append(leaving, v)
		}
	}
	if len(leaving) == 0 {
		leaving = list
	}
	random := splitmix64(sourceSeed)
	for len(list) < n {
		i, _ := bits.Mul64(random.next(), uint64(len(leaving)))
		list = append(list, leaving[i])
	}
	return list
}

// Words that the result has for each search.
const (
	recordReached = iota
	recordLevels
	recordArcs
	recordCheck
	recordWords
)

// record is what is kept of a search.
type record struct {
	reached uint32 // vertices that have a level
	levels  uint32 // the source's included
	arcs    uint32 // that leave the vertices reached
	check   uint32 // sum of mix of the vertices reached
}

// mix is bfs_mix of bfs.glsl.
func mix(vertex, level uint32) uint32 {
	x := vertex + level*0x9E3779B9
	x = (x ^ x>>16) * 0x7FEB352D
	x = (x ^ x>>15) * 0x846CA68B
	return x ^ x>>16
}

// searcher is a plain breadth-first search, over and over.
type searcher struct {
	arcs   adjacency
	levels []uint32 // of the last search; unreached where there is none
	queue  []uint32
}

func newSearcher(a adjacency) *searcher {
	s := &searcher{arcs: a, levels: make([]uint32, len(a.offsets)-1)}
	for v := range s.levels {
		s.levels[v] = unreached
	}
	return s
}

// search finds the level of each vertex. Its error is that of the context.
func (s *searcher) search(ctx context.Context, source uint32) (record, error) {
	for _, v := range s.queue {
		s.levels[v] = unreached
	}
	r := record{check: mix(source, 0)}
	s.levels[source] = 0
	s.queue = append(s.queue[:0], source)
	for n := 0; n < len(s.queue); n++ {
		if n%stepsBetweenLooks == 0 && ctx.Err() != nil {
			return record{}, context.Cause(ctx)
		}
		v := s.queue[n]
		next := s.levels[v] + 1
		targets := s.arcs.targets[s.arcs.offsets[v]:s.arcs.offsets[v+1]]
		r.arcs += uint32(len(targets))
		for _, w := range targets {
			if s.levels[w] == unreached {
				s.levels[w] = next
				s.queue = append(s.queue, w)
				r.check += mix(w, next)
			}
		}
	}
	r.reached = uint32(len(s.queue))
	r.levels = s.levels[s.queue[len(s.queue)-1]] + 1
	return r, nil
}
