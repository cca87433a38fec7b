package resident_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestBusyWorkersAreNeverAway: a reader that looked between two slices saw workers leave that had tasks all the time.
func TestBusyWorkersAreNeverAway(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2, Iterations: 4000})
		publish(t, s, work(64, nil))
		from := s.Snapshot().Slice + 2 // both have started
		for n := from; n < from+10; n = s.Snapshot().Slice + 1 {
			if err := s.AwaitSlice(deadline(t), n); err != nil {
				t.Fatal(err)
			}
			if a, b := state(s, 0), state(s, 1); a == megakernel.WorkerAbsent || b == megakernel.WorkerAbsent {
				t.Fatalf("after slice %d workers are %s and %s", n-1, a, b)
			}
		}
		if err := s.Retune(deadline(t), megakernel.Shape{Workers: 1}); err != nil {
			t.Fatal(err)
		}
		if got := state(s, 1); got != megakernel.WorkerAbsent {
			t.Errorf("with one worker, the second is %s", got)
		}
		if err := s.Stop(deadline(t)); err != nil {
			t.Fatal(err)
		}
		if got := state(s, 0); got != megakernel.WorkerAbsent {
			t.Errorf("after the end, the first is %s", got)
		}
	})
}

// TestParkedWorkersAreAway looks at workers whose tasks have all ended.
func TestParkedWorkersAreAway(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 2})
		publish(t, s, work(64, func(_ int, t *tasks.Task) { t.Opcode = opWork + 1 }))
		awaitPhase(t, s, megakernel.PhaseParked)
		if a, b := state(s, 0), state(s, 1); a != megakernel.WorkerAbsent || b != megakernel.WorkerAbsent {
			t.Errorf("workers are %s and %s", a, b)
		}
	})
}

func state(s *resident.Session, worker int) megakernel.WorkerState {
	var record [megakernel.WorkerWords]uint32
	s.Buffer("workers").CopyTo(record[:], worker*megakernel.WorkerWords)
	return megakernel.WorkerStateOf(record[:])
}
