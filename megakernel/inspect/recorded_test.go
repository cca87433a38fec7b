package inspect

import (
	"path/filepath"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
)

// TestATargetAtRestIsComparedAsOfThePosition: while nothing changes a recording has few snapshots, and the verdict on a position between two
// of them was that on the last change.
func TestATargetAtRestIsComparedAsOfThePosition(t *testing.T) {
	const changed, rested = 1500 * time.Millisecond, 2900 * time.Millisecond
	file := filepath.Join(t.TempDir(), "rest.mcap")
	w, err := fixtures.Create(file, fixtures.Header{Target: megakernel.Target{Workload: "rest", Protocol: megakernel.ProtocolVersion, Slots: 1, MaxWorkers: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for at := time.Duration(0); at <= 3*time.Second; at += 50 * time.Millisecond {
		s := &megakernel.Snapshot{Seq: uint64(at / time.Millisecond), Taken: at, Slice: uint32(min(at, changed) / time.Millisecond)}
		if at > rested {
			s.Slice++
		}
		w.Snapshot(s)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	const window = 250 * time.Millisecond
	for _, tt := range []struct {
		at     time.Duration
		still  bool
		taken  time.Duration
		before time.Duration // at most
	}{
		{1400 * time.Millisecond, false, 1400 * time.Millisecond, 1150 * time.Millisecond},
		{1600 * time.Millisecond, false, 1600 * time.Millisecond, 1350 * time.Millisecond},
		{2 * time.Second, true, 2 * time.Second, 1750 * time.Millisecond},
		{2700 * time.Millisecond, true, 2700 * time.Millisecond, 2450 * time.Millisecond},
		{3 * time.Second, false, 3 * time.Second, 2750 * time.Millisecond},
	} {
		now, before, err := newRecorded(rec, &tt.at).Pair(t.Context(), window)
		if err != nil || before == nil {
			t.Fatalf("at %v: %v, %v", tt.at, before, err)
		}
		if now.Taken != tt.taken || before.Taken > tt.before || before.Taken < tt.before-time.Second || now.Unchanged(before) != tt.still {
			t.Errorf("at %v: taken %v, compared with %v, unchanged %t; want %v, at most %v, %t", tt.at, now.Taken, before.Taken, now.Unchanged(before), tt.taken, tt.before, tt.still)
		}
	}
}
