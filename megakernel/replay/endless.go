package replay

import (
	"context"
	"fmt"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// A run that is executed again takes other orders, and so perhaps more activations than were recorded: tasks that wait for others
// yield more often. One that takes more than this does not end, as where handlers wait for what only the host of the recorded run
// did, or where the recording is damaged.
const (
	timesRecorded    = 64
	spareActivations = 1 << 18
	recordedAtMost   = 1 << 40 // activations: years
)

// mostActivations is how many activations the run may take when it is executed again.
func (p *plan) mostActivations() uint64 {
	return timesRecorded*min(p.end.Counters[megakernel.CountActivations], recordedAtMost) + spareActivations
}

// watch ends a run that does not end by itself.
func (p *plan) watch(ctx context.Context, fail context.CancelCauseFunc, s *resident.Session) {
	for {
		now := s.Summary()
		if n := now.Counters[megakernel.CountActivations]; n > p.mostActivations() {
			fail(p.cannot(fmt.Sprintf("it does not end: after %d activations tasks were left, and the recorded run took %d", n, p.end.Counters[megakernel.CountActivations]),
				"look for a handler that waits for what the host does with vyretop stall on a live run"))
			return
		}
		if s.AwaitSlice(ctx, now.Slices+1) != nil {
			return // none comes any longer
		}
	}
}
