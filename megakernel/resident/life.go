package resident

import (
	"context"
	"sync/atomic"

	"vyretop/megakernel"
)

// life is where a session is between its start and its end, and how those who wait for that hear of it. The slicer changes
// phase and slice; anyone may ask for an end.
type life struct {
	*launch

	phase    atomic.Uint32
	slice    atomic.Uint32
	draining atomic.Bool
	stopping atomic.Bool
	ended    chan struct{} // closed when the slicer has returned
	failure  error         // why, valid once ended is closed
	changed  *signal       // fires when the phase changes or a slice starts or ends
	wake     chan struct{} // 1 deep: something new for a parked slicer
}

// Phase says what the session is doing.
func (l *life) Phase() megakernel.Phase { return megakernel.Phase(l.phase.Load()) }

func (l *life) setPhase(p megakernel.Phase) {
	if megakernel.Phase(l.phase.Swap(uint32(p))) != p {
		l.changed.fire()
	}
}

// Err is why the session ended early, or nil.
func (l *life) Err() error {
	select {
	case <-l.ended:
		return l.failure
	default:
		return nil
	}
}

func (l *life) usable(op string) error {
	select {
	case <-l.ended:
		return gone(op, l.Phase(), ErrStopped, l.failure)
	default:
	}
	if l.stopping.Load() {
		return gone(op, l.Phase(), ErrStopped, nil)
	}
	return nil
}

// wakeUp wakes a parked slicer. A running kernel sees the bell words by itself.
func (l *life) wakeUp() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// wakeIfParked wakes the slicer unless a slice is running; what is new must have been stored.
func (l *life) wakeIfParked() {
	if l.Phase() != megakernel.PhaseResident {
		l.wakeUp()
	}
}

// endSlice asks the running slice to end at its next boundary.
func (l *life) endSlice() { l.inbox.Store(megakernel.InboxEndSlice, l.slice.Load()) }

// await blocks until done reports true, which is asked again after each change of the session, or the session
// has ended.
func (l *life) await(ctx context.Context, op string, done func() bool) error {
	for {
		next := l.changed.next()
		if done() {
			return nil
		}
		if err := l.usable(op); err != nil {
			return err
		}
		select {
		case <-next:
		case <-l.ended: // which may come after the last change
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// AwaitSlice waits until slice n has begun.
func (l *life) AwaitSlice(ctx context.Context, n uint32) error {
	return l.await(ctx, "wait for a slice", func() bool { return int32(l.slice.Load()-n) >= 0 })
}
