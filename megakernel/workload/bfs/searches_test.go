package bfs

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// searches makes a workload of several searches of a graph that is in no file.
func searches(t testing.TB, g *Graph, source uint32, n int) *BFS {
	b := search(t, g, source)
	b.opt.Searches = n
	return b
}

// TestSourcesStayTheSame: a digest that somebody has noted must be that of the same searches in the next version.
func TestSourcesStayTheSame(t *testing.T) {
	a := Kronecker{Scale: 6, EdgeFactor: 4, Seed: 1}.Generate().adjacency()
	want := []uint32{7, 41, 49, 62}
	got := a.sources(7, 4)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if more := a.sources(7, 400); !slices.Equal(more[:4], want) {
		t.Errorf("%v begins otherwise than %v", more[:4], want)
	}
	for _, v := range a.sources(7, 400)[1:] {
		if a.offsets[v] == a.offsets[v+1] {
			t.Errorf("no arc leaves source %d", v)
		}
	}
	if none := (&Graph{Vertices: 3}).adjacency().sources(2, 3); !slices.Equal(none, []uint32{2, 2, 2}) {
		t.Errorf("%v in a graph without edges", none)
	}
}

// TestManySearches: each search finds what a plain one finds, whatever the ones before have left.
func TestManySearches(t *testing.T) {
	graphs := map[string]*Graph{
		"kronecker": Kronecker{Scale: 8, EdgeFactor: 6, Seed: 3}.Generate(),
		"apart":     join(star(5), path(40), path(1), star(300), path(30)),
		"no edge":   {Vertices: 3},
		"loop":      {Vertices: 2, Pairs: []uint32{1, 1}},
		"one way":   {Vertices: 5, Pairs: []uint32{1, 0, 1, 2, 2, 3, 3, 1, 4, 4}, OneWay: true},
	}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for name, g := range graphs {
			w := searches(t, g, 0, 12)
			out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 2, Lanes: 8, Full: true})
			if err != nil || !out.Verification.OK || !strings.Contains(out.Verification.Detail, "each of 12 searches") {
				t.Errorf("%s: %+v, %v", name, out.Verification, err)
				continue
			}
			r, want := out.Result.(Result), w.plain(t)
			if r.TotalReached != want.TotalReached || r.TotalLevels != want.TotalLevels || r.Traversed != want.Traversed || *r.LastSource != w.sources[11] {
				t.Errorf("%s: %+v, want the sums %+v", name, r, want)
			}
			if done, total, _ := w.Progress(); done != total || done != int64(w.followed(t)+g.Edges()+g.Vertices) {
				t.Errorf("%s: %d of %d steps at the end", name, done, total)
			}
		}
	})
}

// plain has the sums that plain searches find.
func (b *BFS) plain(t *testing.T) (r Result) {
	s := newSearcher(b.arcs)
	for _, source := range b.sources {
		found, err := s.search(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		r.TotalReached += uint64(found.reached)
		r.TotalLevels += uint64(found.levels)
	}
	r.Traversed = uint64(b.followed(t))
	if !b.graph.OneWay {
		r.Traversed /= 2
	}
	return r
}

// followed counts the arcs that leave what all searches reach.
func (b *BFS) followed(t *testing.T) (arcs int) {
	s := newSearcher(b.arcs)
	for _, source := range b.sources {
		if _, err := s.search(t.Context(), source); err != nil {
			t.Fatal(err)
		}
		for v, level := range s.levels {
			if level != unreached {
				arcs += int(b.arcs.offsets[v+1] - b.arcs.offsets[v])
			}
		}
	}
	return arcs
}

// TestProgressOfSearchesThatReachLittle: it does not fall, and does not get past the total, which shrinks.
func TestProgressOfSearchesThatReachLittle(t *testing.T) {
	w := searches(t, join(path(300), star(2000)), 0, 40)
	least := int64(1 << 62)
	_, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), w, rig.Shape{Workers: 1, Lanes: 8, Beside: func(ctx context.Context, _ *resident.Session) {
		last := int64(0)
		for tick := time.NewTicker(time.Millisecond); ; {
			ended := ctx.Err() != nil // then this look is the last one
			done, total, _ := w.Progress()
			if done < last || done > total || total > least {
				t.Errorf("%d of %d steps after %d of %d", done, total, last, least)
			}
			last, least = done, total
			if ended {
				return
			}
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if most := int64(40*len(w.arcs.targets) + w.graph.Edges() + w.graph.Vertices); least >= most {
		t.Errorf("the total stayed %d", least)
	}
}

// TestSearchesArePausedAndStepped: all workers pause and single activations run, in the middle of whichever search, and the
// result is that of a run that is left alone.
func TestSearchesArePausedAndStepped(t *testing.T) {
	paused := 0
	for n := 200; paused < 3 && n <= 6400; n *= 2 { // a host with much else to do may end the first ones before a pause
		paused = pauseSearches(t, n)
	}
	if paused < 3 {
		t.Errorf("paused only %d times during the searches", paused)
	}
}

// pauseSearches makes searches and says how often they were paused in the middle, at most 20 times.
func pauseSearches(t *testing.T, n int) (paused int) {
	t.Helper()
	w := searches(t, Kronecker{Scale: 9, EdgeFactor: 8, Seed: 6}.Generate(), 1, n)
	out, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), w, rig.Shape{Workers: 2, Lanes: 8, Beside: func(ctx context.Context, s *resident.Session) {
		for paused < 20 && ctx.Err() == nil {
			for _, c := range []megakernel.Command{{Op: megakernel.OpPauseAll}, {Op: megakernel.OpStepWorker, Arg: 1}, {Op: megakernel.OpResumeAll}} {
				if _, err := s.Do(ctx, c); err != nil && ctx.Err() == nil { // at the end of the work no task comes for a step
					t.Error(c, err)
					return
				}
			}
			if done, total, _ := w.Progress(); 0 < done && done < total {
				paused++
			}
		}
	}})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	return paused
}

// TestOneWrongSearchIsFound: whatever of a result is not that of a plain search.
func TestOneWrongSearchIsFound(t *testing.T) {
	w := searches(t, join(path(30), star(50)), 0, 9)
	if _, err := w.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := newSearcher(w.arcs)
	components, err := w.graph.components(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	good := make([]uint32, w.resultWords())
	copy(good[w.graph.Vertices:], components)
	for i, source := range w.sources {
		r, err := s.search(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		copy(good[w.at(i):], []uint32{r.reached, r.levels, r.arcs, r.check})
	}
	copy(good, s.levels)
	verify := func() workload.Verification {
		w.found, w.result = nil, slices.Clone(good)
		w.status.Store(&engine.Words{statusWords - 1: 0})
		v, err := w.Verify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if v := verify(); !v.OK {
		t.Fatal(v)
	}
	for at := range good {
		good[at]++
		if v := verify(); v.OK {
			t.Errorf("a wrong word %d is not found: %s", at, v.Detail)
		}
		good[at]--
	}
}

// TestStampsRunOut: there are no levels beyond the last stamp, and all before it can be used.
func TestStampsRunOut(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	run := func(searched, stamps int) error {
		w := searches(t, path(20), 0, searched)
		w.base = lastStamp + 1 - uint32(stamps)
		out, err := rig.Run(rig.Deadline(t), b, w, rig.Shape{Workers: 2, Lanes: 8, Full: true})
		if err == nil && !out.Verification.OK {
			t.Error(out.Verification)
		}
		return err
	}
	if err := run(1, 20); err != nil {
		t.Errorf("20 levels with 20 stamps: %v", err)
	}
	for _, c := range []struct{ searches, stamps int }{{1, 19}, {2, 20}, {2, 21}} {
		if err := run(c.searches, c.stamps); !errors.Is(err, workload.ErrFlag) {
			t.Errorf("%d searches of 20 levels or fewer with %d stamps: %v", c.searches, c.stamps, err)
		}
	}
}

// TestChosenSearchesAreSpreadEvenly holds what a verification compares of more searches than it has time for.
func TestChosenSearchesAreSpreadEvenly(t *testing.T) {
	for _, c := range []struct {
		n, most int
		want    []int
	}{{5, 9, []int{0, 1, 2, 3, 4}}, {9, 3, []int{0, 4, 8}}, {7, 1, []int{0}}, {0, 4, nil}, {1, 4, []int{0}}} {
		if got := choose(c.n, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, want %v", c.most, c.n, got, c.want)
		}
	}
}
