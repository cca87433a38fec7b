package rerun

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// liveCollatz is a target that runs that many numbers on the reference backend.
func liveCollatz(t *testing.T, count string) *Live {
	t.Helper()
	d, err := run.OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	live := NewLive(Config{
		Backend: backendtest.Reference(t, reference.Options{Seed: 1, Resident: 3}), WorkgroupSize: 4,
		New: func() (workload.Workload, error) { return d.New(map[string]string{"count": count}) },
	})
	t.Cleanup(func() {
		if err := live.Close(); err != nil {
			t.Error(err)
		}
	})
	return live
}

// TestBeginTellsWhatRunsHoweverLate: a launch may take longer than all the time there is to watch.
func TestBeginTellsWhatRunsHoweverLate(t *testing.T) {
	s, err := liveCollatz(t, "2000").Begin(t.Context(), time.Nanosecond)
	if err != nil || s.Unit != "tasks" || s.WorkgroupSize != 4 || s.Settings.Workers == 0 || s.Request.MaxWidth == 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestBeginWatchesSeveralRuns, so that what held up one of them is not taken for the workload's own.
func TestBeginWatchesSeveralRuns(t *testing.T) {
	live := liveCollatz(t, "2000")
	if _, err := live.Begin(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if len(live.pace.runs) != paced || live.typical == 0 {
		t.Errorf("%d runs, the shortest took %v", len(live.pace.runs), live.typical)
	}
	sample, err := live.Measure(t.Context(), nil, live.typical)
	if err != nil || sample.Work < 1999 || sample.Time < live.typical {
		t.Errorf("then a window of at least %v: %+v, %v", live.typical, sample, err)
	}
}

// TestClosingAStuckRunEnds: a run whose work ignored that it was told to end was waited for without bound.
func TestClosingAStuckRunEnds(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	err := closeWithin(time.Millisecond, func() error { <-release; return nil })
	if !errors.Is(err, ErrStuck) || !strings.Contains(err.Error(), " within 1ms ") {
		t.Errorf("error is %v", err)
	}
	if err := closeWithin(time.Hour, func() error { return ErrStuck }); err != ErrStuck {
		t.Errorf("a run that ends: %v", err)
	}
}
