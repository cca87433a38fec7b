package tui

import (
	"context"
	"errors"
	"fmt"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/tui/theme"
)

// group is commands that were given together; one message reports how all of them ended.
type group struct {
	what    string // "resume 12 tasks"
	open    int    // commands without an answer
	applied int
	failed  int
	slowest megakernel.Ack // of those that were applied
	refusal answered       // the first that was not
}

// grouped has the commands that were sent since a request report together.
func (r *requests) grouped(since uint64, what string) {
	g := &group{what: what}
	for n := since + 1; n <= r.last; n++ {
		if q, ok := r.open[n]; ok {
			q.group = g
			g.open++
		}
	}
}

// add counts an answer, and reports whether it was the last one.
func (g *group) add(msg answered) bool {
	switch {
	case msg.err == nil && (msg.plain || msg.ack.Result == megakernel.AckApplied):
		g.applied++
		if msg.ack.Latency > g.slowest.Latency {
			g.slowest = msg.ack
		}
	case g.failed == 0:
		g.refusal = msg
		g.failed++
	default:
		g.failed++
	}
	g.open--
	return g.open == 0
}

// reportGroup says how many of the commands were carried out, and of the others why the first was not.
func (ct *control) reportGroup(g *group) {
	switch {
	case g.failed == 0:
		ct.say(theme.Good, g.what+": applied in "+units.Duration(g.slowest.Latency))
	case errors.Is(g.refusal.err, context.DeadlineExceeded):
		ct.say(theme.Danger, fmt.Sprintf("%s: %d applied, %d not acknowledged within %s", g.what, g.applied, g.failed, units.Duration(answerTime)))
	case g.refusal.err != nil:
		ct.fail(fmt.Errorf("%s: %d applied, %d not; %s: %w", g.what, g.applied, g.failed, g.refusal.what, g.refusal.err))
	default:
		ct.fail(fmt.Errorf("%s: %d applied, %d not; %w", g.what, g.applied, g.failed, command.Refusal(g.refusal.what, &g.refusal.ack, ct.latest.Snap)))
	}
}
