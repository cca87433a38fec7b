package resident

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// mirrorLimit is how long a snapshot waits for the workers to copy the slots. One that is busy with a
// long activation does not help the others, and need not.
const mirrorLimit = 20 * time.Millisecond

// refreshSlots has workers copy what has changed in the slots to the mirror, if there is one, and reports
// whether what the host sees is of now. A parked session's mirror is up to date; that of a session that
// does not answer in time stays as it is.
func (s *Session) refreshSlots() bool {
	if !s.kernel.Config.Mirror || s.Phase() == megakernel.PhaseParked {
		return true
	}
	if s.full.onCore(s) {
		return s.full.refreshOnCore(s)
	}
	s.mirrorMu.Lock()
	defer s.mirrorMu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), mirrorLimit)
	defer cancel()
	ack, err := s.send(ctx, megakernel.Command{Op: megakernel.OpMirror})
	return err == nil && ack.Result == megakernel.AckApplied
}

// fetchSlots brings the mirror up to date between two slices, when there are no workers to do it. It
// is the slicer's; what goes wrong with the device shows in its next slice.
func (s *Session) fetchSlots() {
	s.full.fetchMu.Lock()
	defer s.full.fetchMu.Unlock()
	if !s.kernel.Config.Mirror || s.fetched == s.slice.Load() {
		return
	}
	words := make([]uint32, s.kernel.Config.Slots*tasks.SlotWords)
	if err := s.buffers["ring"].Download(context.Background(), 0, words); err != nil {
		s.events("error", err.Error())
		return
	}
	s.slots.CopyFrom(0, words)
	s.changes.markAll()
	s.fetched, s.fetchedStarts = s.slice.Load(), s.starts()
}

// starts counts the slices that workers have begun, which they say before they claim anything.
func (s *Session) starts() (n uint32) {
	for at := megakernel.WkSlices; at < len(s.workers); at += megakernel.WorkerWords {
		n += s.workers.Load(at)
	}
	return n
}
