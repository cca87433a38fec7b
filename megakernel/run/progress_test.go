package run

import (
	"math"
	"path/filepath"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
)

// TestReadingTheProgressTakesLittleOfTheTime: a reading that takes 2 ms comes once in 102 ms, and at the end.
func TestReadingTheProgressTakesLittleOfTheTime(t *testing.T) {
	clock, reads := time.Unix(1, 0), int64(0)
	r := progressReader{now: func() time.Time { return clock }, read: func() (int64, int64, string) {
		reads++
		clock = clock.Add(2 * time.Millisecond)
		return reads, 9, "B"
	}}
	for _, step := range []struct {
		wait  time.Duration
		phase megakernel.Phase
		done  int64
		age   time.Duration
	}{
		{0, megakernel.PhaseResident, 1, 0}, {99 * time.Millisecond, megakernel.PhaseResident, 1, 101 * time.Millisecond}, {time.Millisecond, megakernel.PhaseResident, 2, 0},
		{0, megakernel.PhaseParked, 2, 2 * time.Millisecond}, {0, megakernel.PhaseStopped, 3, 0},
	} {
		clock = clock.Add(step.wait)
		want := megakernel.Progress{Done: step.done, Total: 9, Unit: "B", Age: step.age}
		if got := r.of(step.phase); got != want {
			t.Errorf("%v later, %v: %+v, want %+v", step.wait, step.phase, got, want)
		}
	}
}

// TestSnapshotsHaveTheProgressOfTheWorkload: the last one says that all is done, in a recording too.
func TestSnapshotsHaveTheProgressOfTheWorkload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.mcap")
	r := start(t, Config{Workload: collatz(t), Want: policy.Config{Workers: 2}, WorkgroupSize: 4, Record: file, Version: "test"})
	if err := r.Work(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Finish(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	want := megakernel.Progress{Done: 500, Total: 500, Unit: megakernel.UnitTasks}
	if got := r.Hub().Snapshot().Progress; got != want {
		t.Errorf("the last snapshot says %+v, want %+v", got, want)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	last, _, err := rec.SnapshotAt(math.MaxInt64)
	if err != nil || last.Progress != want {
		t.Errorf("the recording ends with %+v, error %v, want %+v", last.Progress, err, want)
	}
}
