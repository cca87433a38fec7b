package tui

import (
	"fmt"
	"strings"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// Explainer says in lines what a target does and what its tasks wait for, from a snapshot and an earlier one, nil
// where there is none.
type Explainer func(now, before *megakernel.Snapshot) string

// stallWindow is over how long a target is looked at to see whether it continues.
const stallWindow = time.Second

// explain shows why the target does not continue, if so.
func (m *model) explain() {
	s := m.frame().Snap
	if m.explainer == nil || s == nil {
		m.say(theme.Plain, "nothing is known of the target yet")
		return
	}
	before := m.feed.earlier.Than(s)
	if m.position.scrub.looking {
		before = m.position.scrub.earlier(m.position.scrub.at)
	}
	text := m.explainer(s, before)
	if m.frame().Pulse == pane.Lost {
		text = fmt.Sprintf("LOST: nothing has come from the target for %s. What follows is what it did at %s; what it does now is unknown.\n\n%s",
			strings.TrimSpace(units.Age(m.now().Sub(m.feed.lostSince()))), units.Clock(s.Taken), text)
	}
	m.modal = newSheet("Stall report", text+m.remedies())
}

// earlier is a snapshot that was taken as long before a snapshot as it takes to see whether a target continues.
func (x *scrub) earlier(number int) (before *megakernel.Snapshot) {
	var taken time.Duration
	x.snapshots.Replay(number, number, func(s *megakernel.Snapshot) { taken = s.Taken })
	at := x.snapshots.At(taken - stallWindow)
	x.snapshots.Replay(at, at, func(s *megakernel.Snapshot) { before = s })
	return before
}

// remedies says which keys resume what is paused or held now, "" where nothing is or nothing can be resumed.
func (m *model) remedies() string {
	if m.sink == nil || m.frozen != nil || m.feed.pulse() != pane.Beating {
		return ""
	}
	key := func(id string) string { return firstKey(m.chrome.keys.ByID(id)) }
	var b strings.Builder
	h := m.control.holds()
	if h.workers > 0 {
		fmt.Fprintf(&b, "\n%s resumes %s.", key(keymap.ContinueAll), plural(h.workers, "paused worker", "paused workers"))
	}
	if h.breaks > 0 {
		fmt.Fprintf(&b, "\n%s resumes %s held by breakpoints; %s lists the breakpoints.", key(keymap.ContinueAll), plural(h.breaks, "task", "tasks"), key(keymap.Breaks))
	}
	if h.byHand > 0 {
		fmt.Fprintf(&b, "\n%s resumes a task paused by hand, or the marked ones of %d, in view 3.", key(keymap.Continue), h.byHand)
	}
	return b.String()
}
