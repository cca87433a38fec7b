package resident

import (
	"context"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// mirrorLimit is how long a snapshot waits for the workers to copy the slots. One that is busy with a
// long activation does not help the others, and need not.
const mirrorLimit = 20 * time.Millisecond

// slotView is what the host sees of the slots: the ring itself, or its mirror, and what of it has changed.
type slotView struct {
	*life
	forms     *forms
	commander *commander // asks workers for the mirror
	reads     *reads

	slots    engine.Words
	changes  changes
	mirrorMu lock[mirrorRank] // one request for the mirror at a time
	fetched  uint32           // slice after which the slicer has brought the mirror up to date
}

// refreshSlots has workers copy what has changed in the slots to the mirror, if there is one, and reports
// whether what the host sees is of now. A parked session's mirror is up to date; that of a session that
// does not answer in time stays as it is.
func (v *slotView) refreshSlots() bool {
	if !v.kernel.Config.Mirror || v.Phase() == megakernel.PhaseParked {
		return true
	}
	if v.forms.onCore() {
		return v.refreshOnCore()
	}
	v.mirrorMu.Lock()
	defer v.mirrorMu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), mirrorLimit)
	defer cancel()
	ack, err := v.commander.send(ctx, megakernel.Command{Op: megakernel.OpMirror})
	return err == nil && ack.Result == megakernel.AckApplied
}

// fetchSlots brings the mirror up to date between two slices, when there are no workers to do it. It
// is the slicer's; what goes wrong with the device shows in its next slice.
func (v *slotView) fetchSlots() {
	if !v.kernel.Config.Mirror || v.fetched == v.slice.Load() {
		return
	}
	words := make([]uint32, v.kernel.Config.Slots*tasks.SlotWords)
	if err := v.buffers["ring"].Download(context.Background(), 0, words); err != nil {
		v.events("error", err.Error())
		return
	}
	v.slots.CopyFrom(0, words)
	v.changes.markAll()
	v.fetched = v.slice.Load()
}
