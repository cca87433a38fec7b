package inspect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/remote"
)

// Follow connects again, so that it misses nothing from the beginning on, and reads nothing twice. Only what
// does not change can be asked of the subject afterwards. Over a hub it comes back when the connection is lost, and events of
// remote.LinkKind say so, and what was missed.
func (l live) Follow(ctx context.Context, each func(*fixtures.StreamMessage) error) error {
	if err := l.Client.Close(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dial := l.dial
	dial.Reconnect, dial.Patience = dial.Connect != nil, remote.FarPatience // a connection to a process of this machine ends with it
	lost := outages{interval: dial.Interval, name: l.Name(), told: l.told}
	dial.Each = func(m *fixtures.StreamMessage) {
		if context.Cause(ctx) != nil {
			return
		}
		for _, m := range lost.take(m) {
			if err := each(m); err != nil {
				cancel(&stopped{err})
				return
			}
		}
	}
	c, err := remote.Dial(ctx, l.Name(), dial)
	if err != nil {
		return err
	}
	select {
	case <-c.Ended():
		err = c.Err()
	case <-ctx.Done():
	}
	if closed := c.Close(); err == nil {
		err = closed
	}
	if why := (*stopped)(nil); errors.As(context.Cause(ctx), &why) {
		return why.error
	}
	return err
}

// stopped is the error of a function that follows.
type stopped struct{ error }

// outages says what is missed of a target while the connection to it is lost.
type outages struct {
	name     string
	told     func(text string)
	interval time.Duration // least time between snapshots
	seq      uint64        // of the newest snapshot
	taken    time.Duration
	next     uint64                // number of the record behind the newest one
	down     bool                  // the connection was lost, and no snapshot has come since
	records  uint64                // missed since it was lost
	back     *megakernel.HostEvent // that the connection is there again, to be said; nil for none
}

// take returns what to give on in place of a message. That the connection is there again is said in front of the first snapshot,
// when it is known what was missed.
func (o *outages) take(m *fixtures.StreamMessage) []*fixtures.StreamMessage {
	switch {
	case m.Event != nil && m.Event.Kind == remote.LinkKind && m.Event.Text == remote.LinkAgain:
		e := *m.Event // the client keeps it
		o.back = &e
		return nil
	case m.Event != nil && m.Event.Kind == remote.LinkKind:
		o.down, o.back = true, nil
		o.tell(m.Event.Text + "; trying to connect again")
	case len(m.Log) > 0:
		if first := m.Log[0].Number; o.down && o.next > 0 && first > o.next {
			o.records += first - o.next
		}
		o.next = m.Log[len(m.Log)-1].Number + 1
	case m.Snapshot != nil:
		back := o.back
		if back != nil {
			back.Text += o.missed(m.Snapshot)
			o.tell(back.Text)
			o.down, o.back, o.records = false, nil, 0
		}
		o.seq, o.taken = m.Snapshot.Seq, m.Snapshot.Taken
		if back != nil {
			return []*fixtures.StreamMessage{{Event: back}, m}
		}
	}
	return []*fixtures.StreamMessage{m}
}

// missed says what was, as of the first snapshot behind it.
func (o *outages) missed(s *megakernel.Snapshot) string {
	snapshots := max(s.Seq, o.seq+1) - o.seq - 1
	if o.interval > 0 { // those that come are fewer
		snapshots = min(snapshots, uint64(max(s.Taken-o.taken, 0)/o.interval))
	}
	return fmt.Sprintf(" after %.1f s: %d snapshots and %d log records missed", max(s.Taken-o.taken, 0).Seconds(), snapshots, o.records)
}

func (o *outages) tell(text string) {
	if o.told != nil {
		o.told(o.name + ": " + text)
	}
}
