package resident_test

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestNoTaskSleepsThroughItsEpoch advances the epoch while tasks park themselves. When nothing is left that could be
// done, no task may wait for an epoch that has come.
func TestNoTaskSleepsThroughItsEpoch(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, steered(t, b, 8), resident.Options{Workers: 2})
		rng := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			publish(t, s, work(24, func(i int, x *tasks.Task) {
				x.Opcode, x.Param = opTogether+uint32(i%2), uint32(i/2%3)&2
			}))
			for range 1 + rng.IntN(4) {
				for range rng.IntN(2000) {
					s.Phase()
				}
				if err := s.AdvanceEpoch(deadline(t)); err != nil {
					t.Fatal(err)
				}
			}
			noneIsDue(t, s)
		}
	})
}

// noneIsDue waits until the session rests and looks at its slots.
func noneIsDue(t *testing.T, s *resident.Session) {
	t.Helper()
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	snap := s.Snapshot()
	for i := range snap.NumSlots() {
		words := snap.Slot(i)
		if tasks.State(words[tasks.WordState]) == tasks.Paused && int32(s.Epoch()-words[tasks.WordResumeEpoch]) >= 0 {
			t.Fatalf("at epoch %d the task in slot %d waits for epoch %d\n%s", s.Epoch(), i, words[tasks.WordResumeEpoch], describe(s))
		}
	}
	s.Poll(nil)
}

// TestAnEpochThatWasAskedForIsNoRest: a parked session that had been given an epoch and had not taken it yet called itself at rest, so
// that what waited for the epoch was thought to stay.
func TestAnEpochThatWasAskedForIsNoRest(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, shared(t, b), resident.Options{Workers: 1, Idle: 1, SliceTime: time.Millisecond})
		for round := range uint64(50) {
			publish(t, s, of(opWaiter, work(4, func(_ int, t *tasks.Task) { t.Param = 1 })))
			if err := s.AwaitRest(deadline(t)); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(s.AdvanceEpoch(deadline(t)), s.AwaitRest(deadline(t))); err != nil {
				t.Fatal(err)
			}
			c := s.Summary().Counters
			if c[megakernel.CountPauses] != 4*(round+1) || c[megakernel.CountDone] != 4*(round+1) {
				t.Fatalf("at rest in round %d: %d pauses, %d tasks done", round, c[megakernel.CountPauses], c[megakernel.CountDone])
			}
			s.Poll(nil)
		}
	})
}
