package tui

import (
	"slices"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/health"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// maxEvents bounds the events kept for the screen.
const maxEvents = 20_000

// eventStore keeps the events of the source and those that the dashboard finds out itself. Slices that
// it hands out stay valid: it only appends.
type eventStore struct {
	list       []pane.Event
	seen       int // events of the source taken so far
	watch      health.Watch
	violations int
	outcome    pane.Outcome
	recorders  int // recordings of the source under way
}

// follow takes the events that are new since the last call, and returns them.
func (e *eventStore) follow(s Source) []megakernel.HostEvent {
	room := maxEvents - len(e.list)
	if room <= 0 {
		return nil
	}
	got := s.Events(e.seen, room)
	e.seen += len(got)
	for _, h := range got {
		e.list = append(e.list, pane.Event{HostEvent: h})
		e.outcome.Take(&h)
		switch h.Kind {
		case megakernel.EventRecording:
			e.recorders++
		case megakernel.EventRecorded:
			e.recorders = max(e.recorders-1, 0)
		}
	}
	return got
}

// tellNews says in the footer news that the user should know: where the run has saved a snapshot, and
// what is known of its result.
func (fd *feed) tellNews(news []megakernel.HostEvent) {
	for _, e := range news {
		switch e.Kind {
		case megakernel.EventNote:
			fd.say(theme.Accent, e.Text)
		case megakernel.EventSaved:
			fd.say(theme.Good, "saved as "+shortPath(fd.home, e.Text))
		case megakernel.EventVerified:
			fd.say(theme.Good, "verified: "+e.Text)
		case megakernel.EventVerificationFailed:
			fd.say(theme.Danger, "the result is wrong: "+e.Text)
		case megakernel.EventReloadCompiles:
			fd.say(theme.Warning, "compiling "+e.Text)
		case megakernel.EventReloaded:
			fd.say(theme.Good, "reloaded "+e.Text)
		case megakernel.EventReloadRefused:
			fd.refused(e.Text)
		case megakernel.EventBreakMoved:
			fd.say(theme.Warning, "reloaded; "+e.Text)
		case megakernel.EventBreakRemoved:
			fd.tell(theme.Danger, "reloaded; "+e.Text)
		case megakernel.EventUndefined:
			fd.say(theme.Warning, "undefined in GLSL: "+e.Text)
		}
	}
}

// refused shows why handlers were not reloaded. A box with something else stays.
func (fd *feed) refused(why string) {
	fd.tell(theme.Danger, "not reloaded: "+why)
}

// tell says something in the footer, or in a box where it does not fit there. A box with something else stays.
func (fd *feed) tell(style cells.Style, text string) {
	if _, shown := fd.modal.(*notice); fd.modal != nil && !shown || len(text) < fd.width-2 {
		fd.say(style, text)
		return
	}
	fd.modal = &notice{text: text}
}

// caption says the newest remark of a recording in the footer.
func (fd *feed) caption(news []megakernel.HostEvent) {
	for _, e := range slices.Backward(news) {
		if e.Kind == megakernel.EventNote {
			fd.say(theme.Accent, e.Text)
			return
		}
	}
}

// check looks for violations of the protocol in a new snapshot.
func (e *eventStore) check(s *megakernel.Snapshot) {
	if s == nil {
		return
	}
	for _, v := range e.watch.Check(s) {
		e.violations++
		h := megakernel.HostEvent{At: v.At, Kind: pane.EventViolation, Text: v.String()}
		e.add(pane.Event{HostEvent: h, Before: v.Before, After: v.After})
	}
}

// add keeps an event of the dashboard's own.
func (e *eventStore) add(x pane.Event) {
	if len(e.list) < maxEvents {
		e.list = append(e.list, x)
	}
}

// rewind forgets what came after a snapshot; the source's events are taken again.
func (e *eventStore) rewind(now time.Duration) {
	kept := slices.DeleteFunc(slices.Clone(e.list), func(x pane.Event) bool {
		return (x.Kind != pane.EventViolation && x.Kind != pane.EventAlert) || x.At > now
	})
	violations := 0
	for i := range kept {
		if kept[i].Kind == pane.EventViolation {
			violations++
		}
	}
	*e = eventStore{list: kept, violations: violations, watch: e.watch}
}
