package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// answerTime is how long a command may stay unanswered. A worker answers when its activation ends,
// so a long silence means that none does.
const answerTime = 10 * time.Second

// subject is what a request acts on.
type subject struct {
	task bool
	key  uint64 // worker id, or pane.TaskKey
}

// request is a command on its way to the target.
type request struct {
	on      subject
	verb    string
	since   time.Time
	settled bool         // answered; the next snapshot shows the effect
	applied func(*model) // when not nil: called if the answer is that it was carried out
	group   *group       // of commands that were given with it, or nil
}

// requests is the commands that were sent and whose effect is not on screen yet. The number of a
// request is its generation: an answer counts for the request with its number only.
type requests struct {
	open map[uint64]*request
	last uint64
}

func (r *requests) add(on subject, verb string, at time.Time) uint64 {
	if r.open == nil {
		r.open = map[uint64]*request{}
	}
	r.last++
	r.open[r.last] = &request{on: on, verb: verb, since: at}
	return r.last
}

// waiting counts the requests without an answer.
func (r *requests) waiting() int {
	n := 0
	for _, q := range r.open {
		if !q.settled {
			n++
		}
	}
	return n
}

// measures reports whether shapes are being measured: what is in force in the meantime is not what was chosen.
func (r *requests) measures() bool {
	for _, q := range r.open {
		if !q.settled && (q.verb == measuring || q.verb == trying) {
			return true
		}
	}
	return false
}

// Verbs of requests that give the target other shapes for a while.
const (
	measuring = "measuring"
	trying    = "trying"
)

// settle forgets the answered requests: a snapshot taken after the answer is here.
func (r *requests) settle() {
	for id, q := range r.open {
		if q.settled {
			delete(r.open, id)
		}
	}
}

func (r *requests) pendingWorkers(now time.Time) map[uint64]pane.Pending {
	return r.pending(false, now)
}

func (r *requests) pendingTasks(now time.Time) map[uint64]pane.Pending { return r.pending(true, now) }

func (r *requests) pending(task bool, now time.Time) map[uint64]pane.Pending {
	var out map[uint64]pane.Pending
	for _, q := range r.open {
		if q.on.task != task || q.settled {
			continue
		}
		if out == nil {
			out = map[uint64]pane.Pending{}
		}
		out[q.on.key] = pane.Pending{Verb: q.verb, For: now.Sub(q.since)}
	}
	return out
}

// answered carries the answer to a request.
type answered struct {
	request uint64
	what    string // the command in words, "pause worker 3"
	ack     megakernel.Ack
	err     error
	said    string // what the target said was done; "": that it is in force
	plain   bool   // not a command of the protocol: there is no ack
}

func (msg answered) route(m *model) tea.Cmd { return m.control.onAnswer(msg) }

// send starts a command. Verb is what the row says in the meantime.
func (ct *control) send(c megakernel.Command, on subject, verb, what string) tea.Cmd {
	return ct.sendThen(c, on, verb, what, nil)
}

// sendThen is send; applied is called when the command was carried out.
func (ct *control) sendThen(c megakernel.Command, on subject, verb, what string, applied func(*model)) tea.Cmd {
	if ct.sink == nil {
		return nil
	}
	id := ct.requests.add(on, verb, ct.now())
	ct.requests.open[id].applied = applied
	sink := ct.sink
	ct.shell.forgetRows()
	return ct.await(func(ctx context.Context) answered {
		ack, err := sink.Do(ctx, c)
		return answered{request: id, what: what, ack: ack, err: err}
	})
}

// retune starts a change of shape.
func (ct *control) retune(s megakernel.Shape) tea.Cmd {
	id := ct.requests.add(subject{key: noSubject}, "retuning", ct.now())
	ct.requests.open[id].applied = func(m *model) { m.control.undoSettings() }
	sink := ct.sink
	what := "retune to " + shapeText(s.Workers, s.Lanes)
	ct.say(theme.Warning, what+" at the next slice boundary")
	return ct.await(func(ctx context.Context) answered {
		return answered{request: id, what: what, err: sink.Retune(ctx, s), plain: true}
	})
}

// noSubject is a key that no worker has, for requests that concern no single row.
const noSubject = ^uint64(0)

// await runs something that blocks, outside of the model and no longer than answerTime.
func (ct *control) await(f func(context.Context) answered) tea.Cmd {
	parent := ct.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, answerTime)
		defer cancel()
		return f(ctx)
	}
}

// onAnswer shows the outcome of a request.
func (ct *control) onAnswer(msg answered) tea.Cmd {
	q, ok := ct.requests.open[msg.request]
	if !ok {
		return nil
	}
	q.settled = true
	done := msg.err == nil && (msg.plain || msg.ack.Result == megakernel.AckApplied)
	if done && q.applied != nil {
		q.applied(ct.shell)
	}
	if !done {
		ct.script.lines = nil
	}
	ct.shell.forgetRows()
	switch g := q.group; {
	case g == nil:
		ct.report(msg)
	case g.add(msg):
		ct.reportGroup(g)
	}
	if ct.shell.leaving.quitting && ct.requests.waiting() == 0 {
		return tea.Quit
	}
	return nil
}

func (ct *control) report(msg answered) {
	switch {
	case errors.Is(msg.err, megakernel.ErrCompiling):
		ct.say(theme.Warning, msg.err.Error())
	case errors.Is(msg.err, context.DeadlineExceeded):
		ct.say(theme.Danger, msg.what+": not acknowledged within "+units.Duration(answerTime)+"; no activation has ended since")
	case msg.err != nil:
		ct.fail(fmt.Errorf("%s: %w", msg.what, msg.err))
	case msg.plain:
		ct.say(theme.Good, msg.what+": "+cmp.Or(msg.said, "in force"))
	case msg.ack.Result == megakernel.AckApplied && msg.ack.Command.Op == megakernel.OpAdvanceEpoch:
		ct.say(theme.Good, fmt.Sprintf("%s: the epoch is %d", msg.what, msg.ack.Detail))
	case msg.ack.Result == megakernel.AckApplied && msg.ack.Command.Op == megakernel.OpResumeAll:
		ct.reportResumed(msg)
	case msg.ack.Result == megakernel.AckApplied:
		ct.say(theme.Good, msg.what+": applied in "+units.Duration(msg.ack.Latency))
	case msg.ack.Result == megakernel.AckOverwritten:
		ct.say(theme.Warning, fmt.Sprintf("%s: it was written, and holds %d again: something else writes it", msg.what, msg.ack.Detail))
	case msg.ack.Result == megakernel.AckChanged:
		ct.say(theme.Warning, fmt.Sprintf("%s: the value is now %d; not written", msg.what, msg.ack.Detail))
	default:
		ct.fail(command.Refusal(msg.what, &msg.ack, ct.latest.Snap))
	}
}
