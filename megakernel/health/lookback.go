package health

import (
	"time"

	"vyretop/megakernel"
)

// Lookback keeps snapshots of a target for verdicts on newer ones. Samples may follow each other faster than a healthy
// target changes anything: a verdict on two of them would differ from sample to sample.
type Lookback struct {
	Window       time.Duration // how far a verdict looks back, at least
	before, next *megakernel.Snapshot
}

// Add keeps a snapshot once the kept ones are older than the window. One that is older than those begins again.
func (l *Lookback) Add(s *megakernel.Snapshot) {
	switch {
	case s == nil:
	case l.next == nil || s.Taken < l.next.Taken:
		l.before, l.next = nil, s
	case s.Taken-l.next.Taken >= l.Window:
		l.before, l.next = l.next, s
	}
}

// Than is the newest kept snapshot that is older than s by the window, or the oldest one; nil where none is older.
func (l *Lookback) Than(s *megakernel.Snapshot) *megakernel.Snapshot {
	for _, x := range [...]*megakernel.Snapshot{l.next, l.before} {
		if x != nil && s.Taken-x.Taken >= l.Window {
			return x
		}
	}
	if l.next != nil && l.next.Taken < s.Taken {
		return l.next
	}
	return nil
}
