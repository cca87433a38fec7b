package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// trial tries breakpoints on the snapshots that are kept of a live target. It continues a little with each message, so
// that keys are handled in the meantime.
type trial struct {
	of   []breakpoint.Trial
	next int // snapshot
	to   int
	done bool
}

// tried asks for the next part of a trial.
type tried struct{ trial *trial }

func (msg tried) route(m *model) tea.Cmd { return m.breaks.tryOn(msg.trial) }

// trialPart bounds the snapshots that are tried without looking at the clock, trialTime a part.
const (
	trialPart = 8
	trialTime = 10 * time.Millisecond
)

func (bp *breakpoints) newTrial(list []breakpoint.Breakpoint) *trial {
	t := &trial{next: bp.shell.position.scrub.snapshots.Oldest(), to: bp.shell.position.scrub.snapshots.Newest()}
	for _, b := range list {
		t.of = append(t.of, breakpoint.Trial{Breakpoint: b})
	}
	return t
}

// tryOn continues with a trial as long as its dialog is open.
func (bp *breakpoints) tryOn(t *trial) tea.Cmd {
	if x, ok := bp.modal.(*breakMenu); !ok || x.trial != t || t.done {
		return nil
	}
	for began, over := bp.now(), false; t.next <= t.to && !over; over = bp.now().Sub(began) >= trialTime {
		bp.shell.position.scrub.snapshots.Replay(t.next, min(t.next+trialPart-1, t.to), func(s *megakernel.Snapshot) {
			for i := range t.of {
				t.of[i].Add(s)
			}
		})
		t.next += trialPart
	}
	if t.done = t.next > t.to; t.done {
		return nil
	}
	return func() tea.Msg { return tried{t} }
}

// text says what a breakpoint would have hit, as far as it was tried.
func (t *trial) text(i int) string {
	text := t.of[i].String()
	if !t.done {
		text += " …"
	}
	return text
}
