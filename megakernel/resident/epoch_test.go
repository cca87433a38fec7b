package resident_test

import (
	"math/rand/v2"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// TestNoTaskSleepsThroughItsEpoch advances the epoch while tasks park themselves. When nothing is left that could be
// done, no task may wait for an epoch that has come.
func TestNoTaskSleepsThroughItsEpoch(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		s := start(t, b, cooperativeKernel(t, b, 8), resident.Options{Workers: 2})
		rng := rand.New(rand.NewPCG(5, 6))
		for range 10 {
			publish(t, s, work(24, func(i int, x *tasks.Task) {
				x.Opcode, x.Param = opWork+uint32(i%2), uint32(i/2%3)&2
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
