package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/history"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// numbered is a list of snapshots in the order of time, each with a number.
type numbered interface {
	Oldest() int
	Newest() int
	Replay(from, to int, each func(*megakernel.Snapshot))
}

// archiveShelf is that of a recording.
type archiveShelf struct {
	Archive
	ctx context.Context
}

func (s archiveShelf) Oldest() int { return 0 }

func (s archiveShelf) Newest() int {
	_, n := s.Samples()
	return n - 1
}

func (s archiveShelf) Replay(from, to int, each func(*megakernel.Snapshot)) {
	for n := from; n <= to && s.ctx.Err() == nil; n++ {
		if snap := s.Sample(n); snap != nil {
			each(snap)
		} else {
			each(nil)
		}
	}
}

var _ numbered = (*history.Snapshots)(nil)

// searchRun is how many snapshots are looked at before it is asked whether that was enough.
const searchRun = 64

// nextEvent is the number of the first event of the track behind snapshot number from, or with step -1 of the last one
// before it.
func nextEvent(t *pane.Track, s numbered, from, step int) (number int, ok bool) {
	for lo := from; ; lo += step * searchRun {
		first := lo // the last snapshot that is known already
		if step < 0 {
			first = lo - searchRun
		}
		first, last := max(first-1, s.Oldest()), min(first+searchRun, s.Newest())
		if step > 0 {
			first = max(lo, s.Oldest())
		} else {
			last = min(lo-1, s.Newest())
		}
		if first >= last {
			return 0, false
		}
		if number, ok = eventIn(t, s, first, last, step); ok {
			return number, true
		}
	}
}

// eventIn is the first event, or with step -1 the last one, in snapshots first+1..last.
func eventIn(t *pane.Track, s numbered, first, last, step int) (number int, ok bool) {
	var before [4]uint32
	at, known := first, false
	s.Replay(first, last, func(snap *megakernel.Snapshot) {
		defer func() { at++ }()
		if snap == nil || (ok && step > 0) {
			return
		}
		now := t.Of(snap)
		if known && now != before {
			number, ok = at, true
		}
		before, known = now, true
	})
	return number, ok
}

// seekEvent goes to the next event on the selected track, or to the one before.
func (m *model) seekEvent(step int) tea.Cmd {
	m.position.stopSearch()
	s := m.shown().Spec()
	if s.Records {
		t := m.table()
		return m.position.seekRecord(recordQuery{text: t.FilterText, expr: t.Filter, back: step < 0, from: m.position.newestShown(), byTime: true})
	}
	if s.Track == nil {
		return m.position.seekHostEvent(step)
	}
	t, ok := s.Track()
	if !ok {
		return m.position.seekHostEvent(step)
	}
	if m.transport == nil {
		n, ok := nextEvent(&t, &m.position.scrub.snapshots, m.position.lookedAt(), step)
		m.position.cameTo(&t, ok, func() { m.position.lookBack(n) })
		return nil
	}
	a := m.can.archive
	if a == nil {
		m.say(theme.Warning, "this recording cannot be searched")
		return nil
	}
	from, _ := a.Samples()
	return m.position.lookFor("the next event of "+t.Name, func(ctx context.Context) func(*model) {
		n, ok := nextEvent(&t, archiveShelf{a, ctx}, from, step)
		return func(m *model) { m.position.cameTo(&t, ok, func() { m.position.showSample(a, n) }) }
	})
}

// cameTo moves to an event that was found, and says where that is.
func (ps *position) cameTo(t *pane.Track, found bool, move func()) {
	if !found {
		ps.say(theme.Plain, "nothing further is known to have happened to "+t.Name)
		return
	}
	move()
	ps.say(theme.Plain, t.Name+" changed at "+units.Clock(ps.span().At))
}

// showSample moves a recording to a sample.
func (ps *position) showSample(a Archive, n int) {
	shown, _ := a.Samples()
	ps.transport.Step(n - shown)
	ps.shell.refresh()
}

// seekHostEvent goes to the next event of the host, or to the one before.
func (ps *position) seekHostEvent(step int) tea.Cmd {
	list := ps.hostEvents()
	now, to, found := ps.span().At, time.Duration(0), false
	for _, e := range list {
		if at := ps.shownAt(e.At); (at < now) == (step < 0) && at != now && (!found || step < 0) {
			to, found = at, true
		}
	}
	if !found {
		ps.say(theme.Plain, "no further event")
		return nil
	}
	ps.seekTime(to)
	ps.say(theme.Plain, "event at "+units.Clock(to))
	return nil
}

// hostEvents is all that is known, also of what is ahead in a recording.
func (ps *position) hostEvents() []megakernel.HostEvent {
	if a := ps.can.archive; a != nil {
		return a.AllEvents(0, maxEvents)
	}
	out := make([]megakernel.HostEvent, len(ps.feed.events.list))
	for i := range out {
		out[i] = ps.feed.events.list[i].HostEvent
	}
	return out
}

// shownAt is the first snapshot that shows what happened at a time: of a live target the next sample, of a recording
// that time.
func (ps *position) shownAt(t time.Duration) time.Duration {
	if ps.transport != nil {
		return t
	}
	kept := &ps.scrub.snapshots
	n := kept.At(t)
	if kept.Taken(n) < t {
		n++
	}
	return kept.Taken(n)
}
