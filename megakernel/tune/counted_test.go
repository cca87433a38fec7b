package tune

import (
	"context"
	"errors"
	"testing"
	"time"

	"vyretop/megakernel"
)

// steered is a target whose every snapshot is 100 ms after the one before, and which gets as many tasks done
// a second as it has workers, times 1000.
type steered struct {
	now   megakernel.Snapshot
	ends  time.Duration
	fail  error
	speed int64
}

func (s *steered) Snapshot() *megakernel.Snapshot {
	s.now.Seq++
	s.now.Taken += 100 * time.Millisecond
	s.now.Counters[megakernel.CountDone] += uint64(100 * s.speed)
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
	target := &Counted{Target: &steered{}, Counter: megakernel.CountDone}
	s, err := target.Measure(t.Context(), workers(3), 250*time.Millisecond)
	if err != nil || s.Rate() != 3000 || s.Time != 300*time.Millisecond {
		t.Errorf("%+v, %v", s, err)
	}
	c, err := Compare(t.Context(), target, workers(2), workers(4), 8, 100*time.Millisecond)
	if err != nil || c.Verdict() != BFaster || c.Ratio != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCountedTargetsThatEnd(t *testing.T) {
	var ended *EndedError
	_, err := (&Counted{Target: &steered{ends: time.Second}}).Measure(t.Context(), workers(1), time.Minute)
	if !errors.As(err, &ended) || !errors.Is(err, ErrEnded) || ended.Phase != megakernel.PhaseStopped {
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
