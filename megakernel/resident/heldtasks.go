package resident

import (
	"context"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// AwaitUnheld waits until nothing is left that the kernel could do by itself, and no breakpoint holds a task. What handlers have spawned may be
// held when all that the host has published has ended. A session that never had a breakpoint holds none, and is not waited
// for: its slice may last longer than all of its work did.
func AwaitUnheld(ctx context.Context, s *Session) error {
	if !s.hadBreakpoints() {
		return nil
	}
	return s.await(ctx, "wait for held tasks", func() bool { return s.atRest() && !s.holdsTasks() })
}

// holdsTasks reports whether a breakpoint holds a task, by what was fetched of the slots when the session parked.
func (v *slotView) holdsTasks() bool {
	for i := range v.kernel.Config.Slots {
		var w [tasks.SlotWords]uint32
		slot := v.slotWords(i)
		for _, k := range [...]int{tasks.WordState, tasks.WordResumeEpoch, tasks.WordFlags} {
			w[k] = slot.Load(k)
		}
		if megakernel.Held(&w) {
			return true
		}
	}
	return false
}
