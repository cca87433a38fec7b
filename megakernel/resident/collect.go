package resident

import (
	"context"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Poll appends the completions that are there, in order of their numbers, and returns at once.
// Every completion is returned once, to one caller.
func (s *Session) Poll(dst []megakernel.Completion) []megakernel.Completion {
	s.collectMu.Lock()
	defer s.collectMu.Unlock()
	mask := s.kernel.Config.Completions - 1
	number := s.collected.Load()
	for {
		at := s.kernel.CompletionsAt() + int(number)&mask*megakernel.CompletionWords
		if s.outbox.Load(at+megakernel.CompletionSeq) != uint32(number)+1 {
			return dst
		}
		dst = append(dst, megakernel.Completion{
			Task:   s.outbox.Load(at + megakernel.CompletionTask),
			State:  tasks.State(s.outbox.Load(at + megakernel.CompletionState)),
			Code:   s.outbox.Load(at + megakernel.CompletionCode),
			Output: s.outbox.Load(at + megakernel.CompletionOutput),
			Param:  s.outbox.Load(at + megakernel.CompletionParam),
			Worker: s.outbox.Load(at + megakernel.CompletionWorker),
		})
		number++
		s.collected.Store(number)
	}
}

// Collect appends at least one completion, waiting for it if there is none. It fails when the
// session ends first or ctx is done.
func (s *Session) Collect(ctx context.Context, dst []megakernel.Completion) ([]megakernel.Completion, error) {
	before := len(dst)
	for w := (waiter{}); ; w.pause() {
		if dst = s.Poll(dst); len(dst) > before {
			return dst, nil
		}
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		select {
		case <-s.ended:
			if dst = s.Poll(dst); len(dst) > before {
				return dst, nil
			}
			return dst, gone("collect completions", s.Phase(), ErrStopped, s.failure)
		default:
		}
	}
}

// InFlight is how many published tasks have not been collected yet.
func (s *Session) InFlight() int {
	return int(s.queue.count() - s.collected.Load())
}
