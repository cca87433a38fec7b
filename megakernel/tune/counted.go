package tune

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/health"
)

// Steered is a target that somebody else runs: it can be watched, and its settings changed.
type Steered interface {
	// Snapshot is the newest, or nil before the first.
	Snapshot() *megakernel.Snapshot
	// Apply brings settings into force, as resident.Session does.
	Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error)
}

// Counted measures a target by how much its work grows from snapshot to snapshot: the workload's own progress, or
// activations where there is none.
type Counted struct {
	Target  Steered
	Counter *int // counts one of the counters instead; nil: the work
}

// done is what is counted in a snapshot, and its unit.
func (c *Counted) done(s *megakernel.Snapshot) (uint64, string) {
	if c.Counter == nil {
		return s.Work()
	}
	return s.Counters[*c.Counter], megakernel.CounterNames[*c.Counter]
}

// Sentinels for errors.Is of targets that cannot be measured.
const (
	// ErrEnded: the target runs no more, and takes no settings.
	ErrEnded fault.Kind = "the target has ended"
	// ErrFinished: the target has done all of its work, and takes settings still.
	ErrFinished fault.Kind = "the target has finished its work"
)

// Ended is an error for a target that has ended or done all of its work, else nil. It is ErrEnded or ErrFinished.
func Ended(s *megakernel.Snapshot) error {
	const fix = "measure a run that lasts longer"
	switch {
	case s.Phase == megakernel.PhaseStopped || s.Phase == megakernel.PhaseLost:
		return &fault.Error{Kind: ErrEnded, Detail: "the target is " + s.Phase.String() + ": there is nothing to measure", Fix: fix}
	case s.Progress.Finished():
		return &fault.Error{Kind: ErrFinished, Detail: "the target has finished its work: there is nothing to measure", Fix: fix}
	}
	return nil
}

// ErrHeld is matched by the error about a target that somebody keeps from working.
const ErrHeld fault.Kind = "the target is held"

// HeldError says what keeps a target from working until it is resumed.
func HeldError(h health.Health) error {
	return &fault.Error{Kind: ErrHeld, Subject: "nothing to measure", Detail: fmt.Sprintf("the target is %v", h), Fix: "resume what is held (vyretop do resume all), then measure"}
}

// Held is ErrHeld for a target in which nothing moved between two snapshots because of a breakpoint or a command,
// else nil. Either snapshot may be nil.
func Held(before, now *megakernel.Snapshot) error {
	if before == nil || now == nil {
		return nil
	}
	switch h := health.Judge(now, before); h.Kind {
	case health.AtBreak, health.Held, health.AllPaused:
		return HeldError(h)
	}
	return nil
}

// newer is how often Counted looks for a newer snapshot.
const newer = 5 * time.Millisecond

// Measure implements Target. A window begins with the first snapshot that is newer than the settings. A window in which
// a breakpoint or a command held every task is ErrHeld.
func (c *Counted) Measure(ctx context.Context, candidate Candidate, atLeast time.Duration) (Sample, error) {
	if _, err := c.Target.Apply(ctx, candidate...); err != nil {
		return Sample{}, err
	}
	from, err := c.after(ctx, c.Target.Snapshot(), 1)
	if err != nil {
		return Sample{}, err
	}
	to, err := c.after(ctx, from, atLeast)
	if err != nil {
		return Sample{}, err
	}
	before, _ := c.done(from)
	after, unit := c.done(to)
	if after == before {
		if err := Held(from, to); err != nil {
			return Sample{}, err
		}
	}
	return Sample{Work: float64(after) - float64(before), Time: c.taken(to) - c.taken(from), Unit: unit}, nil
}

// taken is when what is counted was read: a window of the workload's progress begins and ends with a reading of it.
func (c *Counted) taken(s *megakernel.Snapshot) time.Duration {
	if c.Counter == nil {
		return s.Progress.ReadAt(s.Taken)
	}
	return s.Taken
}

// after waits for a snapshot whose counts were read at least d after those of from, which may be nil.
func (c *Counted) after(ctx context.Context, from *megakernel.Snapshot, d time.Duration) (*megakernel.Snapshot, error) {
	ticker := time.NewTicker(newer)
	defer ticker.Stop()
	for {
		s := c.Target.Snapshot()
		switch {
		case s == nil:
		case from != nil && c.taken(s)-c.taken(from) >= d:
			return s, nil
		default:
			if err := Ended(s); err != nil {
				return nil, err
			}
			if from == nil {
				return s, nil
			}
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
