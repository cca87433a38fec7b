package tui

import (
	"slices"
	"sort"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
)

// scrub is the past of a live target that the user looks at, while the target continues.
type scrub struct {
	snapshots history.Snapshots
	looking   bool
	at        int              // number of the snapshot looked at
	recent    *history.History // of the time before it; memory that is used again
}

// span is what the bar of time shows.
func (ps *position) span() pane.Span {
	if t := ps.transport; t != nil {
		at, end := t.Position()
		return pane.Span{At: at, End: end, Marks: ps.marks}
	}
	if ps.latest.Snap == nil {
		return pane.Span{}
	}
	from, to := ps.scrub.snapshots.Span()
	s := pane.Span{Live: true, Over: ps.latest.Pulse != pane.Beating, Start: from, At: to, End: to, Dropped: ps.scrub.snapshots.Oldest() > 0, Marks: ps.marks}
	if ps.scrub.looking {
		s.At = ps.frozen.Snap.Taken
	}
	return s
}

// seekTime makes an action of a move by some time: in a recording, or in what is kept of a live target.
func seekTime(d time.Duration) action {
	return quiet(func(m *model) {
		if m.transport != nil {
			seekBy(d)(m.transport)
			m.refresh()
			return
		}
		from := m.position.span().At
		to := m.position.scrub.snapshots.At(max(from+d, 0))
		if at := m.position.lookedAt(); to == at { // samples may be further apart than that
			to += int(d / d.Abs())
		}
		m.position.lookBack(to)
	})
}

// seekSample makes an action of a move by a sample.
func seekSample(by int) action {
	return quiet(func(m *model) {
		if m.transport != nil {
			m.transport.Step(by)
			m.refresh()
			return
		}
		m.position.lookBack(m.position.lookedAt() + by)
	})
}

// lookedAt is the number of the snapshot on the screen.
func (ps *position) lookedAt() int {
	if ps.scrub.looking {
		return ps.scrub.at
	}
	return ps.scrub.snapshots.Newest()
}

// seekStart and seekEnd go to the ends: of a live target, to the oldest snapshot that is kept and to now.
func (ps *position) seekStart() {
	if ps.transport != nil {
		ps.transport.Seek(0)
		ps.shell.refresh()
		return
	}
	ps.lookBack(ps.scrub.snapshots.Oldest())
}

func (ps *position) seekEnd() {
	if ps.transport != nil {
		ps.loop = false // the end is where the user wants to be
		seekEnd(ps.transport)
		ps.shell.refresh()
		return
	}
	ps.lookAtNow()
}

// seekTime goes to a snapshot since launch.
func (ps *position) seekTime(to time.Duration) {
	if ps.transport != nil {
		_, end := ps.transport.Position()
		ps.transport.Seek(min(to, end))
		ps.shell.refresh()
		return
	}
	ps.lookBack(ps.scrub.snapshots.At(to))
}

// lookAtNow shows the target as it is.
func (ps *position) lookAtNow() {
	ps.frozen, ps.scrub.looking = nil, false
	ps.shell.forget()
	ps.shell.observe(ps.latest)
	ps.shell.table().Rearrange()
}

// recentPast is as much of the time before a snapshot as averages, marks of changes and ages of heartbeats need.
// A heart that stood still for longer is shown as so old.
const recentPast = 6 * time.Second

// lookBack shows a snapshot of the past; the newest one and what is behind it is now.
func (ps *position) lookBack(number int) {
	kept := &ps.scrub.snapshots
	if number >= kept.Newest() {
		ps.lookAtNow()
		return
	}
	ps.scrub.looking, ps.scrub.at = true, max(number, kept.Oldest())
	ps.frozen = ps.frameOf(ps.scrub.at)
	ps.shell.table().Rearrange()
}

// frameOf makes the frame of a snapshot: what averages need of the time before goes through a history of its
// own.
func (ps *position) frameOf(number int) *pane.Frame {
	kept := &ps.scrub.snapshots
	if ps.scrub.recent == nil {
		ps.scrub.recent = new(history.History)
	}
	*ps.scrub.recent = history.History{}
	ps.shell.forget()
	var taken time.Duration
	kept.Replay(number, number, func(s *megakernel.Snapshot) { taken = s.Taken })
	f, at, window := new(pane.Frame), kept.At(taken-recentPast), kept.At(taken-history.RateWindow)
	kept.Replay(at, number, func(s *megakernel.Snapshot) {
		if at == window || at == number { // the ends of what occupancy is of
			f.Renew(&ps.target, s, ps.scrub.recent)
			ps.feed.advice.mark(f)
		} else {
			f.Snap, f.Workers = s, s.AppendWorkers(f.Workers[:0])
			ps.scrub.recent.Add(s, f.Workers, 0)
		}
		ps.shell.observe(f)
		at++
	})
	i := sort.Search(len(ps.feed.log.at), func(i int) bool { return ps.feed.log.at[i] > taken })
	f.Log, f.LogAt, f.LogSkipped = newest(ps.feed.log.records[:i]), newest(ps.feed.log.at[:i]), ps.feed.log.skipped
	f.Events = upTo(ps.feed.events.list, taken)
	for i := range f.Events {
		if f.Events[i].Kind == pane.EventViolation {
			f.Violations++
		}
	}
	return f
}

// upTo is the events until a snapshot; the next one appended to the list does not change it.
func upTo(list []pane.Event, taken time.Duration) []pane.Event {
	n := len(list)
	for n > 0 && list[n-1].At > taken {
		n--
	}
	return slices.Clip(list[:n])
}

// sourceKind is the kind of what is on the screen.
func (ps *position) sourceKind() keymap.Source {
	switch {
	case ps.transport != nil:
		return keymap.Replay
	case ps.scrub.looking:
		return keymap.Past
	default:
		return keymap.Now
	}
}
