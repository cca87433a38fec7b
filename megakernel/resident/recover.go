package resident

import (
	"context"
	"errors"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Recovered says what became of the tasks of a session whose device was lost.
type Recovered struct {
	Completions []megakernel.Completion // of tasks that had ended, and that nobody had collected
	Queued      int                     // tasks that were in a slot and did not run; they go on as they were
	Inbox       int                     // tasks that no slot had yet; they go on too
	Interrupted []tasks.Task            // were running, or may have run since the host saw them: not continued
	Unreported  int                     // published tasks that had ended without a completion having reached the host, or were in slots of the device that the host had not seen yet
	Reset       []string                // the workload's buffers in device memory: again as at launch
}

// Recover takes the lost device of an ended session again and starts a session on it with the tasks
// that were not running: those in slots as they were, also held ones, those in the inbox behind them.
// Buffers of the workload that the host can see keep their contents. Counters, log, hits of breakpoints,
// completions and pauses of workers begin anew.
//
// The old session must be the only one on its backend. Nobody may read it meanwhile, and nobody may
// use it or its words afterwards; it need not be closed. The error is a StateError when the session did
// not end by a loss, else the backend's: the device cannot be had, or the kernel does not start there.
func (s *Session) Recover(ctx context.Context) (*Session, Recovered, error) {
	select {
	case <-s.ended:
	case <-ctx.Done():
		return nil, Recovered{}, ctx.Err()
	}
	device, ok := s.backend.(engine.Lifecycle)
	if !ok || !errors.Is(s.failure, engine.ErrDeviceLost) {
		return nil, Recovered{}, &StateError{Op: "recover", Phase: s.Phase(), Kind: ErrStopped, Cause: s.failure}
	}
	s.queue.settle()
	s.awaitLastWords()
	saved, report := s.salvage()
	options := s.options
	options.setTo(&s.tuning.next)
	options.Buffers, report.Reset = s.keepBuffers()
	if _, err := device.Recover(ctx); err != nil {
		return nil, report, err
	}
	next, err := launch(ctx, s.backend, s.kernel, options, saved.restore)
	if err == nil {
		next.inheritBreaks(ctx, &s.breaks)
	}
	return next, report, err
}

// awaitLastWords gives workers that are still there, because only the connection to them was lost, the
// time of a slice to leave.
func (s *Session) awaitLastWords() {
	s.endSlice()
	until := time.Now().Add(min(2*s.tuning.inForce().Slice, time.Second))
	for w := (waiter{}); s.outbox.Load(megakernel.OutEndedSlice) != s.slice.Load() && time.Now().Before(until); w.pause() {
	}
}

// keepBuffers returns the workload's buffers with what they hold now, where the host can see it, and
// the names of the others.
func (s *Session) keepBuffers() (kept []BufferInit, reset []string) {
	for _, b := range s.options.Buffers {
		if words := s.Buffer(b.Name); words != nil {
			b.Data = load(words, len(words))
		} else {
			reset = append(reset, b.Name)
		}
		kept = append(kept, b)
	}
	return kept, reset
}
