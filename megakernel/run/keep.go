package run

import (
	"context"
	"fmt"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/resident"
)

// keptAtOnce is how many words are read at once.
const keptAtOnce = 1 << 16

// keepBuffers records what the workload's buffers, and those of the protocol that a capture needs, hold now, as far as that is not
// too much. w is nil without a recording.
func (r *Run) keepBuffers(ctx context.Context, w *fixtures.Writer) {
	if w == nil || r.group.of.Several() { // buffers of several devices have the same names
		return
	}
	k := keeper{session: r.group.members[0].Session, recorder: w, event: r.hub.Event, left: fixtures.KeptOfAll}
	for _, b := range k.session.Buffers() {
		if capture.IsInput(b.Binding) {
			k.keep(ctx, &b)
		}
	}
}

// keeper records contents of buffers.
type keeper struct {
	session  *resident.Session
	recorder *fixtures.Writer
	event    func(kind, text string)
	left     int // words
}

func (k *keeper) keep(ctx context.Context, b *megakernel.BufferInfo) {
	n := min(b.Words, fixtures.KeptOfBuffer, k.left)
	if n < b.Words {
		k.event("record", fixtures.KeptText(b, n))
	}
	k.left -= n
	taken := k.session.Snapshot().Taken
	for at := 0; at < n; at += keptAtOnce {
		words := make([]uint32, min(keptAtOnce, n-at))
		if err := k.session.ReadBuffer(ctx, b.Name, at, words); err != nil {
			k.event("error", fmt.Sprintf("recording buffer %s: %v", b.Name, err))
			return
		}
		k.recorder.Buffer(taken, b.Name, at, words)
	}
}
