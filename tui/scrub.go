package tui

import (
	"slices"
	"sort"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/view"
)

// scrub is the past of a live target that the user looks at, while the target goes on.
type scrub struct {
	moments history.Moments
	looking bool
	at      int              // number of the moment looked at
	recent  *history.History // of the time before it; memory that is used again
}

// span is what the bar of time shows.
func (m *model) span() view.Span {
	if t := m.transport; t != nil {
		at, end := t.Position()
		return view.Span{At: at, End: end, Marks: m.marks}
	}
	if m.latest.Snap == nil {
		return view.Span{}
	}
	from, to := m.scrub.moments.Span()
	s := view.Span{Live: true, Start: from, At: to, End: to, Dropped: m.scrub.moments.Oldest() > 0, Marks: m.marks}
	if m.scrub.looking {
		s.At = m.frozen.Snap.Taken
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
		from := m.span().At
		to := m.scrub.moments.At(max(from+d, 0))
		if at := m.lookedAt(); to == at { // samples may be further apart than that
			to += int(d / d.Abs())
		}
		m.lookBack(to)
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
		m.lookBack(m.lookedAt() + by)
	})
}

// lookedAt is the number of the moment on the screen.
func (m *model) lookedAt() int {
	if m.scrub.looking {
		return m.scrub.at
	}
	return m.scrub.moments.Newest()
}

// seekStart and seekEnd go to the ends: of a live target, to the oldest moment that is kept and to now.
func (m *model) seekStart() {
	if m.transport != nil {
		m.transport.Seek(0)
		m.refresh()
		return
	}
	m.lookBack(m.scrub.moments.Oldest())
}

func (m *model) seekEnd() {
	if m.transport != nil {
		m.loop = false // the end is where the user wants to be
		seekEnd(m.transport)
		m.refresh()
		return
	}
	m.lookAtNow()
}

// seekMoment goes to a moment since launch.
func (m *model) seekMoment(to time.Duration) {
	if m.transport != nil {
		_, end := m.transport.Position()
		m.transport.Seek(min(to, end))
		m.refresh()
		return
	}
	m.lookBack(m.scrub.moments.At(to))
}

// lookAtNow shows the target as it is.
func (m *model) lookAtNow() {
	m.frozen, m.scrub.looking = nil, false
	m.memory.forget()
	m.memory.observe(m.latest)
	m.rearrange()
}

// recentPast is as much of the time before a moment as averages, marks of changes and ages of heartbeats need.
// A heart that stood still for longer is shown as so old.
const recentPast = 6 * time.Second

// lookBack shows a moment of the past; the newest one and what is behind it is now.
func (m *model) lookBack(number int) {
	kept := &m.scrub.moments
	if number >= kept.Newest() {
		m.lookAtNow()
		return
	}
	m.scrub.looking, m.scrub.at = true, max(number, kept.Oldest())
	m.frozen = m.frameOf(m.scrub.at)
	m.rearrange()
}

// frameOf makes the frame of a moment: what averages need of the time before goes through a history of its
// own.
func (m *model) frameOf(number int) *view.Frame {
	kept := &m.scrub.moments
	if m.scrub.recent == nil {
		m.scrub.recent = new(history.History)
	}
	*m.scrub.recent = history.History{}
	m.memory.forget()
	var taken time.Duration
	kept.Replay(number, number, func(s *megakernel.Snapshot) { taken = s.Taken })
	f, at, window := new(view.Frame), kept.At(taken-recentPast), kept.At(taken-history.RateWindow)
	kept.Replay(at, number, func(s *megakernel.Snapshot) {
		if at == window || at == number { // the ends of what occupancy is of
			f.Renew(&m.target, s, m.scrub.recent)
			m.advice.mark(f)
		} else {
			f.Snap, f.Workers = s, s.AppendWorkers(f.Workers[:0])
			m.scrub.recent.Add(s, f.Workers, 0)
		}
		m.memory.observe(f)
		at++
	})
	i := sort.Search(len(m.log.at), func(i int) bool { return m.log.at[i] > taken })
	f.Log, f.LogAt, f.LogSkipped = newest(m.log.records[:i]), newest(m.log.at[:i]), m.log.skipped
	f.Events = upTo(m.events.list, taken)
	for i := range f.Events {
		if f.Events[i].Kind == view.EventViolation {
			f.Violations++
		}
	}
	return f
}

// upTo is the events until a moment; the next one appended to the list does not change it.
func upTo(list []view.Event, taken time.Duration) []view.Event {
	n := len(list)
	for n > 0 && list[n-1].At > taken {
		n--
	}
	return slices.Clip(list[:n])
}

// sourceKind is the kind of what is on the screen.
func (m *model) sourceKind() keymap.Source {
	switch {
	case m.transport != nil:
		return keymap.Replay
	case m.scrub.looking:
		return keymap.Past
	default:
		return keymap.Now
	}
}
