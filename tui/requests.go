package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/theme"
	"vyretop/tui/units"
	"vyretop/tui/view"
)

// answerTime is how long a command may stay unanswered. A worker answers when its activation ends,
// so a long silence means that none does.
const answerTime = 10 * time.Second

// subject is what a request acts on.
type subject struct {
	task bool
	key  uint64 // worker id, or view.TaskKey
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

// settle forgets the answered requests: a snapshot taken after the answer is here.
func (r *requests) settle() {
	for id, q := range r.open {
		if q.settled {
			delete(r.open, id)
		}
	}
}

func (r *requests) pendingWorkers(now time.Time) map[uint64]view.Pending {
	return r.pending(false, now)
}

func (r *requests) pendingTasks(now time.Time) map[uint64]view.Pending { return r.pending(true, now) }

func (r *requests) pending(task bool, now time.Time) map[uint64]view.Pending {
	var out map[uint64]view.Pending
	for _, q := range r.open {
		if q.on.task != task || q.settled {
			continue
		}
		if out == nil {
			out = map[uint64]view.Pending{}
		}
		out[q.on.key] = view.Pending{Verb: q.verb, For: now.Sub(q.since)}
	}
	return out
}

// answered carries the answer to a request.
type answered struct {
	request uint64
	what    string // the command in words, "pause worker 3"
	ack     megakernel.Ack
	err     error
	plain   bool // not a command of the protocol: there is no ack
}

// send starts a command. Verb is what the row says meanwhile.
func (m *model) send(c megakernel.Command, on subject, verb, what string) tea.Cmd {
	return m.sendThen(c, on, verb, what, nil)
}

// sendThen is send; applied is called when the command was carried out.
func (m *model) sendThen(c megakernel.Command, on subject, verb, what string, applied func(*model)) tea.Cmd {
	if m.sink == nil {
		return nil
	}
	id := m.requests.add(on, verb, m.now())
	m.requests.open[id].applied = applied
	sink := m.sink
	m.arranged = arrangement{}
	return m.await(func(ctx context.Context) answered {
		ack, err := sink.Do(ctx, c)
		return answered{request: id, what: what, ack: ack, err: err}
	})
}

// retune starts a change of shape.
func (m *model) retune(s megakernel.Shape) tea.Cmd {
	id := m.requests.add(subject{key: noSubject}, "retuning", m.now())
	m.requests.open[id].applied = (*model).undoSettings
	sink := m.sink
	what := fmt.Sprintf("retune to %d workers of %d lanes", s.Workers, s.Lanes)
	m.say(theme.Warning, what+" at the next slice boundary")
	return m.await(func(ctx context.Context) answered {
		return answered{request: id, what: what, err: sink.Retune(ctx, s), plain: true}
	})
}

// noSubject is a key that no worker has, for requests that concern no single row.
const noSubject = ^uint64(0)

// await runs something that blocks, outside of the model and no longer than answerTime.
func (m *model) await(f func(context.Context) answered) tea.Cmd {
	parent := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, answerTime)
		defer cancel()
		return f(ctx)
	}
}

// onAnswer shows the outcome of a request.
func (m *model) onAnswer(msg answered) tea.Cmd {
	q, ok := m.requests.open[msg.request]
	if !ok {
		return nil
	}
	q.settled = true
	done := msg.err == nil && (msg.plain || msg.ack.Result == megakernel.AckApplied)
	if done && q.applied != nil {
		q.applied(m)
	}
	if !done {
		m.script.lines = nil
	}
	m.arranged = arrangement{}
	switch g := q.group; {
	case g == nil:
		m.report(msg)
	case g.add(msg):
		m.reportGroup(g)
	}
	if m.leaving.quitting && m.requests.waiting() == 0 {
		return tea.Quit
	}
	return nil
}

func (m *model) report(msg answered) {
	switch {
	case errors.Is(msg.err, megakernel.ErrCompiling):
		m.say(theme.Warning, msg.err.Error())
	case errors.Is(msg.err, context.DeadlineExceeded):
		m.say(theme.Danger, msg.what+": not acknowledged within "+units.Duration(answerTime)+"; no activation has ended since")
	case msg.err != nil:
		m.fail(fmt.Errorf("%s: %w", msg.what, msg.err))
	case msg.plain:
		m.say(theme.Good, msg.what+": in force")
	case msg.ack.Result == megakernel.AckApplied && msg.ack.Command.Op == megakernel.OpAdvanceEpoch:
		m.say(theme.Good, fmt.Sprintf("%s: the epoch is %d", msg.what, msg.ack.Detail))
	case msg.ack.Result == megakernel.AckApplied && msg.ack.Command.Op == megakernel.OpResumeAll && msg.ack.Detail > 0:
		m.say(theme.Good, fmt.Sprintf("%s: applied, also to %s that breakpoints held", msg.what, plural(int(msg.ack.Detail), "task", "tasks")))
	case msg.ack.Result == megakernel.AckApplied:
		m.say(theme.Good, msg.what+": applied in "+units.Duration(msg.ack.Latency))
	case msg.ack.Result == megakernel.AckOverwritten:
		m.say(theme.Warning, fmt.Sprintf("%s: it was written, and holds %d again: something else writes it", msg.what, msg.ack.Detail))
	case msg.ack.Result == megakernel.AckChanged:
		m.say(theme.Warning, fmt.Sprintf("%s: it holds %d meanwhile, nothing was written", msg.what, msg.ack.Detail))
	default:
		m.say(theme.Warning, msg.what+": "+msg.ack.Result.String()+" ("+units.Duration(msg.ack.Latency)+")")
	}
}
