package replay_test

import (
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine/reference"
	"vyretop/fixtures"
	"vyretop/megakernel/replay"
)

// onReference verifies a recording on the reference interpreter and locates what differs.
func onReference(t *testing.T, rec *fixtures.Recording, seed uint64) *replay.Result {
	t.Helper()
	b, err := reference.Open(reference.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	r := verify(t, rec, b)
	if err := replay.Locate(t.Context(), "run.mcap", rec, r, seed); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFirstDivergenceIsNamedWithItsLine: a word of a buffer, and one with which a task ended.
func TestFirstDivergenceIsNamedWithItsLine(t *testing.T) {
	rec := record(t)
	if r := onReference(t, rec, 1); !r.Equal() || r.Divergence != nil || r.Results.Compared != 100 {
		t.Fatalf("a run that ends as recorded: %+v", r)
	}
	r := onReference(t, changed(t, rec, func(p *part) { p.steps[57] ^= 4 }), 1)
	d := r.Divergence
	if d == nil || d.Buffer != "steps" || d.Index != 57 || d.Recorded^d.Now != 4 || d.Reference == nil || *d.Reference != d.Now {
		t.Fatalf("%+v", d)
	}
	if w := d.Writer; w == nil || w.Handler != "collatz" || w.New != d.Now || w.Line == 0 || filepath.Base(w.File) != "collatz.glsl" || w.Activation < 1 {
		t.Errorf("%+v", d.Writer)
	}
	r = onReference(t, changed(t, rec, func(p *part) { p.results[31].Output ^= 1; p.results[77].Param ^= 8 }), 1)
	d = r.Divergence
	if r.Results.Different != 2 || d == nil || d.Buffer != "" || d.Recorded^d.Now != 1 && d.Recorded^d.Now != 8 || d.Writer == nil || d.Task == nil || d.Writer.Task != *d.Task || d.Writer.Handler != "collatz" {
		t.Errorf("%+v, %+v", r.Results, d)
	}
}

// TestDivergenceThatNothingWrote: a word that only the recorded run has written.
func TestDivergenceThatNothingWrote(t *testing.T) {
	r := onReference(t, changed(t, record(t), func(p *part) { p.steps[0] = 7 }), 1)
	if d := r.Divergence; d == nil || d.Index != 0 || d.Recorded != 7 || d.Writer != nil || d.Reference == nil || *d.Reference != d.Now {
		t.Errorf("%+v", d)
	}
}

// TestResultsOfOlderRecordings: a recording without results is compared without them.
func TestResultsOfOlderRecordings(t *testing.T) {
	r := onReference(t, changed(t, record(t), func(p *part) { p.results = nil }), 1)
	if !r.Equal() || r.Results.Skipped == "" || r.Results.Compared != 0 {
		t.Errorf("%+v", r.Results)
	}
}

// TestSmallestRunThatDiffersIsKept: of many tasks whose words depend on the order few are left, which differ as a recording of their own.
func TestSmallestRunThatDiffersIsKept(t *testing.T) {
	rec := recordFolder(t, "testdata/order")
	small, err := replay.Shrink(t.Context(), "order.mcap", rec, 1, 5*time.Minute)
	if err != nil || small == nil || small.Tasks < 2 || small.Tasks > 12 || small.Of != 24 || small.Workers*small.Lanes < 2 {
		t.Fatalf("%+v, %v", small, err)
	}
	file := filepath.Join(t.TempDir(), "small.mcap")
	if err := small.Write(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	kept := open(t, file)
	if same := onReference(t, kept, small.Seed); !same.Equal() {
		t.Errorf("the seed that it was recorded with: %+v", same)
	}
	r := onReference(t, kept, small.Other)
	if r.Equal() || r.Published != small.Tasks || r.Divergence == nil || r.Divergence.Writer == nil || r.Divergence.Writer.Handler != "arrive" {
		t.Errorf("%+v, %+v", r, r.Divergence)
	}
}

// TestOrderedRunsAreNotShrunk: no two orders of a run whose words do not depend on them differ.
func TestOrderedRunsAreNotShrunk(t *testing.T) {
	rec := recordRun(t, "collatz", map[string]string{"count": "16"})
	if small, err := replay.Shrink(t.Context(), "run.mcap", rec, 1, 5*time.Minute); small != nil || err != nil {
		t.Errorf("%+v, %v", small, err)
	}
}
