package bfs

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// search makes a workload of a graph that is in no file.
func search(t testing.TB, g *Graph, source uint32) *BFS {
	b := New(rig.Manifest(t, "bfs"), Options{Source: &source, Directed: g.OneWay})
	b.given = g
	return b
}

// path is a graph of n vertices in a row: as many levels as there can be.
func path(n int) *Graph {
	g := &Graph{Vertices: n}
	for v := range uint32(n - 1) {
		g.Pairs = append(g.Pairs, v, v+1)
	}
	return g
}

// star is a graph of a vertex with n others: one long row of arcs.
func star(n int) *Graph {
	g := &Graph{Vertices: n + 1}
	for v := range uint32(n) {
		g.Pairs = append(g.Pairs, 0, v+1)
	}
	return g
}

// join puts graphs side by side, without edges between them.
func join(gs ...*Graph) *Graph {
	out := &Graph{}
	for _, g := range gs {
		for _, v := range g.Pairs {
			out.Pairs = append(out.Pairs, v+uint32(out.Vertices))
		}
		out.Vertices += g.Vertices
	}
	return out
}

// TestEveryShapeOfGraph: deep and flat ones, hubs, graphs without an edge, loops and repeated edges.
func TestEveryShapeOfGraph(t *testing.T) {
	backwards := path(300)
	slices.Reverse(backwards.Pairs)
	graphs := map[string]*Graph{
		"kronecker":   Kronecker{Scale: 9, EdgeFactor: 6, Seed: 3}.Generate(),
		"path":        path(200),
		"backwards":   backwards,
		"star":        star(3000),
		"apart":       join(star(5), path(1), path(40), star(700), path(1)),
		"no edge":     {Vertices: 3},
		"one vertex":  {Vertices: 1},
		"loops":       {Vertices: 2, Pairs: []uint32{0, 0, 0, 1, 1, 0, 0, 1, 1, 1}},
		"one way":     {Vertices: 4, Pairs: []uint32{1, 0, 1, 2, 2, 3, 3, 1}, OneWay: true},
		"no way back": {Vertices: 3, Pairs: []uint32{1, 0, 2, 0}, OneWay: true},
	}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for name, g := range graphs {
			out, err := rig.Run(rig.Deadline(t), b, search(t, g, 0), rig.Shape{Workers: 2, Lanes: 8, Full: true})
			if err != nil || !out.Verification.OK {
				t.Errorf("%s: %+v, %v", name, out.Verification, err)
			}
		}
	})
}

// anySetting draws a value of any setting that the search can do with. Tenant 0 has all its tasks.
func anySetting(rng *rand.Rand) megakernel.Setting {
	s := megakernel.Setting{ID: megakernel.SettingID(rng.IntN(megakernel.NumSettingIDs))}
	for s.ID == megakernel.WorkgroupSetting { // compiles for seconds, while the search would end; package resident tests it
		s.ID = megakernel.SettingID(rng.IntN(megakernel.NumSettingIDs))
	}
	s.Index = rng.IntN(max(1, s.ID.Indexes()))
	switch s.ID {
	case megakernel.WorkersSetting:
		s.Value = 1 + rng.Int64N(4)
	case megakernel.LanesSetting:
		s.Value = 1 + rng.Int64N(8)
	case megakernel.SliceSetting:
		s.Value = megakernel.MinSlice.Microseconds() << rng.IntN(10)
	case megakernel.PriorityOffsetSetting:
		s.Value = rng.Int64N(2*tasks.NumPriorities-1) - tasks.NumPriorities + 1
	case megakernel.AgingSetting:
		s.Value = rng.Int64N(40)
	case megakernel.StarvationSetting:
		s.Value = 1 + rng.Int64N(2000)
	case megakernel.BurstSetting:
		s.Value = 1 + rng.Int64N(megakernel.MaxBurst)
	case megakernel.TenantMaskSetting:
		s.Index, s.Value = rng.IntN(2), rng.Int64N(2)
	case megakernel.TenantQuotaSetting:
		s.Index, s.Value = rng.IntN(2), rng.Int64N(1000)
	case megakernel.LogSetting:
		s.Value = rng.Int64N(1 << megakernel.NumEvents)
	case megakernel.LogEverySetting:
		s.Value = rng.Int64N(megakernel.MaxLogEvery)
	case megakernel.LogOpcodeSetting:
		s.Value = rng.Int64N(40)
	}
	return s
}

// TestAHundredRetunes changes settings of all kinds at random, a few at once, a hundred times while the search
// is under way.
func TestAHundredRetunes(t *testing.T) {
	const retunes = 100
	levels := map[string]int{"reference": 60_000, "gl": 200_000} // enough that all fall into the search, where this process is not held up
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		under, changed := 0, map[megakernel.SettingID]bool{}
		for longer := 1; longer <= 8; longer *= 2 {
			under = retuneSearch(t, b, longer*levels[b.Identity().Name], retunes, changed)
			if under >= retunes && len(changed) == megakernel.NumSettingIDs-1 {
				return
			}
		}
		t.Errorf("only %d of %d retunes came while the search was under way, of the settings %v", under, retunes, changed)
	})
}

// retuneSearch runs a search of that many levels and says how many of the retunes came while it was under way. It notes which
// settings were changed.
func retuneSearch(t *testing.T, b engine.Backend, levels, retunes int, changed map[megakernel.SettingID]bool) (under int) {
	t.Helper()
	w := search(t, join(path(levels), Kronecker{Scale: 10, EdgeFactor: 8, Seed: 1}.Generate()), 0)
	rng := rand.New(rand.NewPCG(1, 2))
	retune := func(ctx context.Context, s *resident.Session) {
		for made := 0; under < retunes && made < 2*retunes && ctx.Err() == nil; made++ {
			list := []megakernel.Setting{anySetting(rng), anySetting(rng), anySetting(rng)}
			changes, err := s.Apply(rig.Deadline(t), list...)
			if err != nil {
				t.Error(list, err)
				break
			}
			for _, c := range changes {
				changed[c.ID] = true
			}
			if done, total, _ := w.Progress(); 0 < done && done < total {
				under++
			}
		}
		swift := []megakernel.Setting{{ID: megakernel.TenantMaskSetting, Value: 1}, {ID: megakernel.SliceSetting, Value: 100_000}, {ID: megakernel.LanesSetting, Value: 8}}
		if _, err := s.Apply(rig.Deadline(t), swift...); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}
	out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 1, Lanes: 8, Full: true, Beside: retune})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	return under
}

// TestFewSlots: where slots run out the search continues with the tasks it has.
func TestFewSlots(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		w := search(t, join(star(20000), Kronecker{Scale: 10, EdgeFactor: 8, Seed: 2}.Generate()), 0)
		out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 2, Lanes: 8, Slots: 32, Inbox: 8, Ended: 8})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification, err)
		}
		if out.Summary.Counters[megakernel.CountSpawnFull] == 0 {
			t.Error("there was always a free slot: nothing was tested")
		}
	})
}

// TestExactForAnySchedule draws graphs, seeds of the scheduler and shapes.
func TestExactForAnySchedule(t *testing.T) {
	rig.OneIn(t, 4, func(rt *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(rt, "vertices")
		vertex := rapid.Uint32Range(0, uint32(n-1))
		g := &Graph{Vertices: n, OneWay: rapid.Bool().Draw(rt, "one way")}
		for range rapid.IntRange(0, 300).Draw(rt, "edges") {
			g.Pairs = append(g.Pairs, vertex.Draw(rt, "from"), vertex.Draw(rt, "to"))
		}
		b := backendtest.Reference(t, reference.Options{Seed: rapid.Uint64().Draw(rt, "seed"), TimeSlice: rapid.IntRange(16, 512).Draw(rt, "time slice")})
		shape := rig.Shape{Workers: rapid.IntRange(1, 3).Draw(rt, "workers"), Lanes: rapid.IntRange(1, 8).Draw(rt, "lanes"), Slots: 32, Inbox: 8, Ended: 8}
		out, err := rig.Run(rig.Deadline(t), b, searches(t, g, vertex.Draw(rt, "source"), rapid.IntRange(1, 4).Draw(rt, "searches")), shape)
		if err != nil || !out.Verification.OK {
			rt.Fatal(out.Verification, err)
		}
	})
}

// TestMain makes sure that no run leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
