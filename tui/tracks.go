package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/units"
	"vyretop/tasks"
	"vyretop/tui/history"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// track is something whose events can be gone through: it has one wherever what of says of a snapshot is another
// than of the snapshot before.
type track struct {
	name string
	of   func(*megakernel.Snapshot) [4]uint32
}

// track is that of the selected row; ok is false where the view's events are those of the host.
func (m *model) track() (track, bool) {
	switch m.tableTab() {
	case keymap.Workers:
		return workerTrack(m.worker()), true
	case keymap.Tasks:
		if t := m.table(); t.HasSelected {
			id, slot := pane.SplitTaskKey(t.Selected)
			return taskTrack(id, slot), true
		}
	case keymap.Ring:
		return slotTrack(m.ring.Cursor), true
	case keymap.Diff:
		if _, row, ok := m.table().Selection(); ok {
			return wordTrack(m.diff.differences().At(row)), true
		}
	case keymap.Memory:
		if at, ok := m.memory.word(); ok && at.Buffer.Other() == nil {
			return wordTrack(at), true
		}
	}
	return track{}, false
}

// workerTrack has an event wherever a worker was seen in another state, or with another task.
func workerTrack(id int) track {
	return track{fmt.Sprintf("worker %d", id), func(s *megakernel.Snapshot) (out [4]uint32) {
		if id < 0 || (id+1)*megakernel.WorkerWords > len(s.WorkerTable) {
			return out
		}
		r := s.WorkerTable[id*megakernel.WorkerWords:][:megakernel.WorkerWords]
		out = [4]uint32{r[megakernel.WkState], r[megakernel.WkSlot]}
		if slot := r[megakernel.WkSlot]; slot < uint32(s.NumSlots()) {
			w := s.Slot(int(slot))
			out[2], out[3] = w[tasks.WordTaskID], w[tasks.WordOpcode]
		}
		return out
	}}
}

// taskTrack has an event wherever a task has another state, place of continuation or number of requeues; one that is
// gone stays so.
func taskTrack(id uint32, slot int) track {
	return track{"task " + megakernel.TaskName(id), func(s *megakernel.Snapshot) [4]uint32 {
		f := pane.Frame{Snap: s}
		slot, ok := f.FindTask(id, slot)
		if !ok {
			return [4]uint32{}
		}
		w := s.Slot(slot)
		return [4]uint32{w[tasks.WordState], w[tasks.WordContinuationPC], w[tasks.WordRequeueCount], 1}
	}}
}

// slotTrack has an event wherever a slot has another task or state.
func slotTrack(slot int) track {
	return track{fmt.Sprintf("slot %d", slot), func(s *megakernel.Snapshot) [4]uint32 {
		if slot < 0 || slot >= s.NumSlots() {
			return [4]uint32{}
		}
		w := s.Slot(slot)
		return [4]uint32{w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordContinuationPC]}
	}}
}

// wordTrack has an event wherever a word changes.
func wordTrack(at pane.WordAt) track {
	return track{at.String(), func(s *megakernel.Snapshot) [4]uint32 {
		f := pane.Frame{Snap: s}
		v, _ := f.Word(at)
		return [4]uint32{v}
	}}
}

// shelf is snapshots in the order of time, numbered.
type shelf interface {
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

var _ shelf = (*history.Moments)(nil)

// searchRun is how many snapshots are looked at before it is asked whether that was enough.
const searchRun = 64

// next is the number of the first event of the track behind snapshot number from, or with step -1 of the last one
// before it.
func (t *track) next(s shelf, from, step int) (number int, ok bool) {
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
		if number, ok = t.eventIn(s, first, last, step); ok {
			return number, true
		}
	}
}

// eventIn is the first event, or with step -1 the last one, in snapshots first+1..last.
func (t *track) eventIn(s shelf, first, last, step int) (number int, ok bool) {
	var before [4]uint32
	at, known := first, false
	s.Replay(first, last, func(snap *megakernel.Snapshot) {
		defer func() { at++ }()
		if snap == nil || (ok && step > 0) {
			return
		}
		now := t.of(snap)
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
	if m.tab == keymap.Log {
		t := m.table()
		return m.position.seekRecord(recordQuery{text: t.FilterText, expr: t.Filter, back: step < 0, from: m.position.newestShown(), byTime: true})
	}
	t, ok := m.track()
	if !ok {
		return m.position.seekHostEvent(step)
	}
	if m.transport == nil {
		n, ok := t.next(&m.position.scrub.moments, m.position.lookedAt(), step)
		m.position.cameTo(&t, ok, func() { m.position.lookBack(n) })
		return nil
	}
	a, ok := m.transport.(Archive)
	if !ok {
		m.say(theme.Warning, "this recording cannot be searched")
		return nil
	}
	from, _ := a.Samples()
	return m.position.lookFor("the next event of "+t.name, func(ctx context.Context) func(*model) {
		n, ok := t.next(archiveShelf{a, ctx}, from, step)
		return func(m *model) { m.position.cameTo(&t, ok, func() { m.position.showSample(a, n) }) }
	})
}

// cameTo moves to an event that was found, and says where that is.
func (ps *position) cameTo(t *track, found bool, move func()) {
	if !found {
		ps.say(theme.Plain, "nothing further is known to have happened to "+t.name)
		return
	}
	move()
	ps.say(theme.Plain, t.name+" changed at "+units.Clock(ps.span().At))
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
		ps.say(theme.Plain, "there is no further event")
		return nil
	}
	ps.seekMoment(to)
	ps.say(theme.Plain, "event at "+units.Clock(to))
	return nil
}

// hostEvents is all that is known, also of what is ahead in a recording.
func (ps *position) hostEvents() []megakernel.HostEvent {
	if a, ok := ps.transport.(Archive); ok {
		return a.AllEvents(0, maxEvents)
	}
	out := make([]megakernel.HostEvent, len(ps.feed.events.list))
	for i := range out {
		out[i] = ps.feed.events.list[i].HostEvent
	}
	return out
}

// shownAt is the first moment that shows what happened at a time: of a live target the next sample, of a recording
// that time.
func (ps *position) shownAt(t time.Duration) time.Duration {
	if ps.transport != nil {
		return t
	}
	kept := &ps.scrub.moments
	n := kept.At(t)
	if kept.Taken(n) < t {
		n++
	}
	return kept.Taken(n)
}
