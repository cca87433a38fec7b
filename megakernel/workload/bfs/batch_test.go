package bfs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

// batch makes a workload of the shipped manifest.
func batch(t testing.TB, o BatchOptions) *Batch {
	t.Helper()
	o.Generate, o.Searches = max(o.Generate, DefaultBatchGenerate), max(o.Searches, 1)
	return NewBatch(rig.Manifest(t, BatchDriver), o)
}

// edgeList writes a graph file.
func edgeList(t *testing.T, file string, g *Graph) {
	t.Helper()
	var text strings.Builder
	for i := 0; i < len(g.Pairs); i += 2 {
		fmt.Fprintf(&text, "%d %d\n", g.Pairs[i], g.Pairs[i+1])
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// folderOfGraphs has graphs of several shapes, and what is none.
func folderOfGraphs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	edgeList(t, filepath.Join(dir, "a"), Kronecker{Scale: 6, EdgeFactor: 4, Seed: 3}.Generate())
	edgeList(t, filepath.Join(dir, "b"), join(star(5), path(40), star(90)))
	edgeList(t, filepath.Join(dir, "c"), &Graph{Pairs: []uint32{1, 0, 1, 2, 2, 3, 3, 1, 4, 4}})
	if err := errors.Join(os.WriteFile(filepath.Join(dir, ".hidden"), []byte("no graph"), 0o600), os.Mkdir(filepath.Join(dir, "folder"), 0o700)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sums are those that plain searches find.
func (b *Batch) sums(t *testing.T) (reached, levels, arcs uint64) {
	t.Helper()
	s := newSearcher(b.arcs)
	for _, source := range b.sources {
		r, err := s.search(t.Context(), source)
		if err != nil {
			t.Fatal(err)
		}
		reached, levels, arcs = reached+uint64(r.reached), levels+uint64(r.levels), arcs+uint64(r.arcs)
	}
	return reached, levels, arcs
}

// TestABatchFindsWhatPlainSearchesFind, in a folder of graphs and whatever the searches before left in the frames.
func TestABatchFindsWhatPlainSearchesFind(t *testing.T) {
	dir := folderOfGraphs(t)
	backendtest.OnEach(t, func(t *testing.T, e engine.Backend) {
		for _, directed := range []bool{false, true} {
			b := batch(t, BatchOptions{Graph: dir, Searches: 9, Directed: directed})
			out, err := rig.Run(rig.Deadline(t), e, b, rig.Shape{Workers: 2, Lanes: 8, Full: true})
			if err != nil || !out.Verification.OK || !strings.Contains(out.Verification.Detail, "each of 27 searches") {
				t.Fatalf("directed %v: %+v, %v", directed, out.Verification, err)
			}
			reached, levels, arcs := b.sums(t)
			if !directed {
				arcs /= 2
			}
			if r := out.Result.(BatchResult); r.Graphs != 3 || r.Searches != 27 || r.TotalReached != reached || r.TotalLevels != levels || r.Traversed != arcs {
				t.Errorf("directed %v: %+v, want %d vertices, %d levels, %d edges", directed, r, reached, levels, arcs)
			}
			if done, total, _ := b.Progress(); done != 27 || total != 27 {
				t.Errorf("%d of %d at the end", done, total)
			}
		}
	})
}

// TestSearchesWaitForFrames: with one frame they come one after the other.
func TestSearchesWaitForFrames(t *testing.T) {
	b := batch(t, BatchOptions{Generate: "kronecker:4", Searches: 12})
	w := &fewFrames{b}
	out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), w, rig.Shape{Workers: 2, Lanes: 4})
	if err != nil || !out.Verification.OK {
		t.Errorf("%+v, %v", out.Verification, err)
	}
}

// fewFrames has one frame only, and as many searches at the same time as there are.
type fewFrames struct{ *Batch }

func (f *fewFrames) Setup(ctx context.Context) (*workload.Setup, error) {
	s, err := f.Batch.Setup(ctx)
	if err != nil {
		return nil, err
	}
	for i := range s.Buffers {
		if s.Buffers[i].Name == "frames" {
			s.Buffers[i].Initial[frameHead] = 1
		}
	}
	return s, nil
}

// TestABatchIsShared: what one process has found is taken in by another one, and wrong results are refused.
func TestABatchIsShared(t *testing.T) {
	o := BatchOptions{Generate: "kronecker:4", Searches: 8}
	one, other := batch(t, o), batch(t, o)
	if out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), one, rig.Shape{Workers: 1}); err != nil || !out.Verification.OK {
		t.Fatalf("%+v, %v", out.Verification, err)
	}
	other.Share(1)
	other.Feed(workload.NewFeed(func(int) {}))
	if _, err := other.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	if one.Inputs() != other.Inputs() {
		t.Errorf("inputs are %+v and %+v", one.Inputs(), other.Inputs())
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for _, data := range []string{"", "[]", "[[1,2,3,4]]", "[[1],[],[],[],[],[],[],[]]", `["a"]`} {
		if err := other.Unpack(all, []byte(data)); !errors.Is(err, workload.ErrResult) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%q: %v", data, err)
		}
	}
	data, err := one.Pack(all)
	if err == nil {
		err = other.Unpack(all, data)
	}
	if v, failed := other.Verify(t.Context()); err != nil || failed != nil || !v.OK || other.Result() != one.Result() {
		t.Errorf("%+v, %v, %v: %+v instead of %+v", v, err, failed, other.Result(), one.Result())
	}
	other.records[5].check++
	if v, err := other.Verify(t.Context()); err != nil || v.OK || !strings.Contains(v.Detail, "search 5") {
		t.Errorf("a wrong record: %+v, %v", v, err)
	}
	changed := batch(t, BatchOptions{Generate: "kronecker:4:8", Searches: 8})
	if _, err := changed.Setup(t.Context()); err != nil || changed.Inputs() == one.Inputs() {
		t.Errorf("another graph has the same inputs, or %v", err)
	}
}

// TestGraphsThatCannotBeSearched say what is wrong.
func TestGraphsThatCannotBeSearched(t *testing.T) {
	empty, wrong := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(wrong, "text"), []byte("a b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := BatchDefinition{rig.Manifest(t, BatchDriver)}
	for name, tt := range map[string]struct {
		flags map[string]string
		kind  error
		want  string
	}{
		"no files":     {map[string]string{"graph": empty}, workload.ErrInput, "no files"},
		"no graph":     {map[string]string{"graph": wrong}, workload.ErrInput, "text:1"},
		"missing":      {map[string]string{"graph": filepath.Join(empty, "x")}, workload.ErrInput, "cannot be opened"},
		"both":         {map[string]string{"graph": wrong, "generate": "kronecker:4"}, workload.ErrFlag, "--graph too"},
		"no searches":  {map[string]string{"searches": "0"}, workload.ErrFlag, "number of searches"},
		"directions":   {map[string]string{"edges": "some"}, workload.ErrFlag, "unknown"},
		"generated":    {map[string]string{"generate": "tree:4"}, workload.ErrFlag, "names no generated graph"},
		"another flag": {map[string]string{"source": "1"}, workload.ErrFlag, "no such flag"},
	} {
		w, err := d.New(tt.flags)
		if err == nil {
			_, err = w.Setup(t.Context())
		}
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "Fix:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
