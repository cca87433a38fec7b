package tune

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// steered is a target whose every snapshot is 100 ms after the one before, and which gets as many tasks done
// a second as it has workers, times 1000.
type steered struct {
	yields bool // no task ends
	now    megakernel.Snapshot
	ends   time.Duration
	fail   error
	speed  int64
}

func (s *steered) Snapshot() *megakernel.Snapshot {
	s.now.Seq++
	s.now.Taken += 100 * time.Millisecond
	if s.yields {
		s.now.Counters[megakernel.CountActivations] += uint64(100 * s.speed)
		s.now.Progress.Done += 1000 * s.speed
	} else {
		s.now.Counters[megakernel.CountDone] += uint64(100 * s.speed)
	}
	if s.ends > 0 && s.now.Taken > s.ends {
		s.now.Phase, s.now.Taken = megakernel.PhaseStopped, s.ends
	}
	out := s.now
	return &out
}

func (s *steered) Apply(_ context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	s.speed = list[0].Value
	return nil, s.fail
}

func TestCountedTargets(t *testing.T) {
	done := megakernel.CountDone
	target := &Counted{Target: &steered{}, Counter: &done}
	s, err := target.Measure(t.Context(), workers(3), 250*time.Millisecond)
	if err != nil || s.Rate() != 3000 || s.Time != 300*time.Millisecond {
		t.Errorf("%+v, %v", s, err)
	}
	c, err := Compare(t.Context(), target, workers(2), workers(4), 8, 100*time.Millisecond)
	if err != nil || c.Verdict() != BFaster || c.Ratio != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestComparisonsCountWork: a workload whose tasks yield for ever is compared by its progress; without progress
// activations count, not tasks that have ended.
func TestComparisonsCountWork(t *testing.T) {
	for _, unit := range []string{"samples", megakernel.UnitTasks, ""} {
		s := &steered{yields: true}
		s.now.Progress.Unit = unit
		c, err := Compare(t.Context(), &Counted{Target: s}, workers(2), workers(1), 8, 100*time.Millisecond)
		want := cmp.Or(unit, "activations")
		if unit == megakernel.UnitTasks {
			want = "activations"
		}
		if err != nil || c.Err() != nil || c.Verdict() != BSlower || c.Ratio != 0.5 || c.Unit != want {
			t.Errorf("progress in %q: %+v, %v", unit, c, err)
		}
	}
}

// seldom is a target whose progress is read for every fourth snapshot only.
type seldom struct {
	steered
	read megakernel.Snapshot
}

func (s *seldom) Snapshot() *megakernel.Snapshot {
	out := s.steered.Snapshot()
	if out.Seq%4 == 1 {
		s.read = *out
	}
	out.Progress = s.read.Progress
	out.Progress.Age = out.Taken - s.read.Taken
	return out
}

// TestWindowsEndWithAReadingOfTheProgress: windows shorter than the time between two readings are not empty, and the
// work of one is not counted in another.
func TestWindowsEndWithAReadingOfTheProgress(t *testing.T) {
	s := &seldom{steered: steered{yields: true}}
	s.now.Progress.Unit = "samples"
	c, err := Compare(t.Context(), &Counted{Target: s}, workers(2), workers(1), 8, 100*time.Millisecond)
	if err != nil || c.Empty != 0 || c.Low != c.High || c.Ratio != 0.5 || c.RateA != 20_000 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCountedTargetsThatEnd(t *testing.T) {
	_, err := (&Counted{Target: &steered{ends: time.Second}}).Measure(t.Context(), workers(1), time.Minute)
	if !errors.Is(err, ErrEnded) || errors.Is(err, ErrFinished) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := (&Counted{Target: &steered{fail: errLost}}).Measure(t.Context(), workers(1), time.Second); !errors.Is(err, errLost) {
		t.Errorf("refused: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Counted{Target: &steered{}}).Measure(ctx, workers(1), time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// paused is a target whose workers are all paused.
type paused struct{ steered }

func (p *paused) Snapshot() *megakernel.Snapshot {
	s := p.steered.Snapshot()
	s.Counters = [megakernel.NumCounters]uint64{}
	s.Phase, s.Workers, s.Submitted = megakernel.PhaseResident, 1, 1
	s.WorkerTable = make([]uint32, megakernel.WorkerWords)
	s.WorkerTable[megakernel.WkState], s.WorkerTable[megakernel.WkSlot] = uint32(megakernel.WorkerPaused), megakernel.NoSlot
	s.Slots = make([]uint32, tasks.SlotWords)
	s.Slots[tasks.WordState] = uint32(tasks.Ready)
	return s
}

// TestAHeldTargetIsNotMeasuredForLong: the first empty window of a target that somebody holds says who does.
func TestAHeldTargetIsNotMeasuredForLong(t *testing.T) {
	target := &paused{}
	c, err := Compare(t.Context(), &Counted{Target: target}, workers(2), workers(4), 8, 100*time.Millisecond)
	if !errors.Is(err, ErrHeld) || !strings.Contains(err.Error(), "paused: all workers") {
		t.Fatalf("%+v, %v", c, err)
	}
	if target.now.Taken > time.Second {
		t.Errorf("it took %v of the target's time to say so", target.now.Taken)
	}
}
