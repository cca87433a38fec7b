package tui

import (
	"fmt"
	"strings"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/theme"
)

// holds counts what does not run because somebody wants it so.
type holds struct {
	workers int // that are paused
	breaks  int // tasks that breakpoints hold
	byHand  int // tasks that a command paused: only a command for them resumes them
}

// holds counts what is paused or held in the newest snapshot.
func (ct *control) holds() (h holds) {
	s := ct.latest.Snap
	if s == nil {
		return h
	}
	h.workers, h.byHand = ct.latest.PausedWorkers(), s.AwaitingCommand()
	for i := range s.NumSlots() {
		if megakernel.Held(s.Slot(i)) {
			h.breaks++
		}
	}
	return h
}

// resumable is how many workers and tasks "resume all" resumes.
func (h holds) resumable() int { return h.workers + h.breaks }

// question asks whether to resume what "resume all" resumes; resume is the key for tasks that were paused by hand. Where nothing
// of it is seen, a pause may be under way still.
func (h holds) question(all, resume string) string {
	var what []string
	if h.workers > 0 {
		what = append(what, plural(h.workers, "paused worker", "paused workers"))
	}
	if h.breaks > 0 {
		what = append(what, plural(h.breaks, "task", "tasks")+" held by breakpoints")
	}
	switch {
	case len(what) > 0:
		return "resume " + strings.Join(what, ", ") + "?"
	case h.byHand > 0:
		return plural(h.byHand, "task", "tasks") + " paused by hand: " + resume + " resumes. " + all
	}
	return "nothing is paused or held. " + all
}

// resumeKey is the key that resumes a task.
func (ct *control) resumeKey() string { return firstKey(ct.shell.chrome.keys.ByID(keymap.Continue)) }

// reportResumed says what "resume all" resumed, and what it left.
func (ct *control) reportResumed(msg answered) {
	text, h := msg.what+": applied", ct.holds()
	if n := int(msg.ack.Detail); n > 0 {
		text += ", also to " + plural(n, "task", "tasks") + " that breakpoints held"
	}
	if h.byHand == 0 {
		ct.say(theme.Good, text)
		return
	}
	ct.say(theme.Warning, fmt.Sprintf("%s; %s paused by hand: %s resumes", text, plural(h.byHand, "task stays", "tasks stay"), ct.resumeKey()))
}
