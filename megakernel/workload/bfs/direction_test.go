package bfs

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
)

// hubs is a graph of n vertices, each joined with some of the first few: two levels that have almost everything.
func hubs(n, few, edges int, rng *rand.Rand) *Graph {
	g := &Graph{Vertices: n}
	for v := range n {
		for range edges {
			g.Pairs = append(g.Pairs, uint32(v), rng.Uint32N(uint32(few)))
		}
	}
	return g
}

// layers is a graph of layers with all edges between neighboring ones: a vertex has more arcs than an activation looks at, most of
// them away from the frontier.
func layers(sizes ...int) *Graph {
	g := &Graph{}
	before := 0
	for _, size := range sizes {
		for v := range size {
			for w := range before {
				g.Pairs = append(g.Pairs, uint32(g.Vertices+v), uint32(g.Vertices-before+w))
			}
		}
		g.Vertices += size
		before = size
	}
	return g
}

// upDown says which levels a search goes up from the unreached vertices: a plain search with the rule of bfs_next_kind.
func upDown(t *testing.T, w *BFS) (ups uint32) {
	if w.graph.OneWay {
		return 0
	}
	s := newSearcher(w.arcs)
	for _, source := range w.sources {
		r, err := s.search(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		width, arcs := make([]int, r.levels), make([]int, r.levels)
		for v, level := range s.levels {
			if level != unreached {
				width[level]++
				arcs[level] += int(w.arcs.degree(uint32(v)))
			}
		}
		up, before := false, arcs[0]
		for l := 1; l < len(width); l++ {
			grows := width[l] > width[l-1]
			if up {
				up = grows || width[l] > w.graph.Vertices/18
			} else {
				up = grows && arcs[l] > (len(w.arcs.targets)-before)/15 && arcs[l] > w.graph.Vertices/4
			}
			if up {
				ups++
			}
			before += arcs[l]
		}
	}
	return ups
}

// TestDenseLevelsAreSearchedFromBelow: levels are those of a plain search where vertices look for the frontier, the
// search turns when the rule says so on any device, and back.
func TestDenseLevelsAreSearchedFromBelow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	oneWay := Kronecker{Scale: 8, EdgeFactor: 16, Seed: 5}.Generate()
	for _, c := range []struct {
		name string
		g    *Graph
		ups  bool
	}{
		{"kronecker", &Graph{Vertices: oneWay.Vertices, Pairs: oneWay.Pairs}, true},
		{"hubs", join(hubs(3000, 20, 3, rng), star(4)), true},
		{"layers", layers(1, 90, 120, 5, 1), true},
		{"with a tail", func() *Graph {
			g := join(hubs(500, 5, 2, rng), path(60))
			g.Pairs = append(g.Pairs, 499, 500)
			return g
		}(), true},
		{"path", path(100), false},
		{"star from a leaf", star(500), true},
		{"one way", oneWay, false},
	} {
		backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
			w := searches(t, c.g, uint32(c.g.Vertices-1), 6)
			out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 2, Lanes: 8, Full: true})
			if err != nil || !out.Verification.OK {
				t.Fatalf("%s: %+v, %v", c.name, out.Verification, err)
			}
			ups := out.Result.(Result).BottomUp
			if want := upDown(t, w); ups != want || (ups > 0) != c.ups {
				t.Errorf("%s: %d levels were searched from below, want %d", c.name, ups, want)
			}
		})
	}
}

// TestDirectionsForAnySchedule draws dense graphs, of which levels are searched from below, and seeds of the scheduler.
func TestDirectionsForAnySchedule(t *testing.T) {
	rig.OneIn(t, 5, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "graph"), 1))
		n := rapid.IntRange(40, 200).Draw(rt, "vertices")
		g := hubs(n, rapid.IntRange(1, 12).Draw(rt, "hubs"), rapid.IntRange(1, 4).Draw(rt, "edges"), rng)
		b := backendtest.Reference(t, reference.Options{Seed: rapid.Uint64().Draw(rt, "seed"), TimeSlice: rapid.IntRange(16, 512).Draw(rt, "time slice")})
		shape := rig.Shape{Workers: rapid.IntRange(1, 3).Draw(rt, "workers"), Lanes: rapid.IntRange(1, 8).Draw(rt, "lanes"), Slots: 32, Inbox: 8, Ended: 8}
		w := searches(t, g, rng.Uint32N(uint32(n)), 3)
		out, err := rig.Run(rig.Deadline(t), b, w, shape)
		if err != nil || !out.Verification.OK || out.Result.(Result).BottomUp != upDown(t, w) {
			rt.Fatal(out.Verification, out.Result, err)
		}
	})
}

// TestManyLanesDivideIntoManyParts: kernels of many lanes divide a long range into eight parts in one activation, within its
// budget, also where there is no slot for some of them.
func TestManyLanesDivideIntoManyParts(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	g := join(Kronecker{Scale: 9, EdgeFactor: 8, Seed: 4}.Generate(), star(2000))
	for _, slots := range []int{64, 1024} {
		w := searches(t, g, uint32(g.Vertices-1), 4)
		out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 2, Lanes: 32, Slots: slots, Inbox: 8, Ended: 8})
		if err != nil || !out.Verification.OK {
			t.Fatalf("%d slots: %+v, %v", slots, out.Verification, err)
		}
		if full := out.Summary.Counters[megakernel.CountSpawnFull]; (full > 0) != (slots == 64) {
			t.Errorf("%d slots: %d spawns found none", slots, full)
		}
	}
}
