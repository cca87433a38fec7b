package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
)

// Stage is how far a run has come, for leaving its own dashboard.
type Stage uint8

// The stages of a run.
const (
	Working   Stage = iota
	Verifying       // the work has ended, its result is being checked
	Over            // nothing is left to do
)

// Owner is the run that a dashboard belongs to. Leaving such a dashboard ends the run, unless it is detached.
type Owner struct {
	Stage     func() (s Stage, since time.Time) // since is set while the run verifies
	Interrupt func()                            // end without waiting for the verdict; called before the dashboard leaves
	Detach    func(context.Context) error       // run on without the terminal after the dashboard has left; nil: not possible
	NoDetach  string                            // why, when Detach is nil
	Place     Place                             // where the dashboard begins; the zero Place: at its first view
	Left      func(Place)                       // told where the dashboard was left; nil: nothing is
}

// leaving is what the dashboard knows of how it is left.
type leaving struct {
	*shared

	shell    *model
	owner    *Owner // nil: the target belongs to another process, or is a recording
	quitting bool   // commands that were sent on leaving are not answered yet
}

// quit leaves, but not without asking where something would end, stay paused or stay set.
func (lv *leaving) quit() tea.Cmd {
	switch {
	case lv.shell.files.below != "":
		return lv.shell.files.askBack()
	case lv.quitting:
		return tea.Quit
	case lv.owner != nil:
		return lv.leaveOwn()
	}
	return lv.leaveTarget()
}

// interrupt leaves at once, from whatever is on the screen: Ctrl-C does.
func (lv *leaving) interrupt() tea.Cmd {
	if o := lv.owner; o != nil && o.Interrupt != nil {
		o.Interrupt()
	}
	return tea.Quit
}

// leaveOwn asks what is to become of the run that the dashboard belongs to, while there is something to decide.
func (lv *leaving) leaveOwn() tea.Cmd {
	o := lv.owner
	stage, since := o.Stage()
	if stage == Over {
		return tea.Quit
	}
	cancel := choice{"c", "cancel", func(*model) tea.Cmd { return nil }}
	if stage == Verifying {
		lv.modal = &confirm{
			moot: lv.over, answered: runOver,
			live: func(m *model) string { return "verifying, " + units.Duration(m.now().Sub(since)) + ":" },
			choices: []choice{
				{"w", "wait for the verdict and quit", func(*model) tea.Cmd { return tea.Quit }},
				{"e", "end without it", func(m *model) tea.Cmd { return m.leaving.interrupt() }}, cancel,
			},
		}
		return nil
	}
	ask := &confirm{question: "the run is not finished:", moot: lv.over, answered: runOver, choices: []choice{{"e", "end it", func(m *model) tea.Cmd { return m.leaving.interrupt() }}}}
	if o.Detach != nil {
		ask.choices = append(ask.choices, choice{"d", "detach, it keeps running", func(m *model) tea.Cmd { return m.leaving.detach() }})
	} else if o.NoDetach != "" {
		ask.question = "the run is not finished (no detach: " + o.NoDetach + "):"
	}
	ask.choices = append(ask.choices, cancel)
	lv.modal = ask
	return nil
}

// runOver is said instead of a question about how to leave a run that has ended since.
const runOver = "the run is over: press q again to quit"

// over reports whether nothing is left to do of the run that the dashboard belongs to.
func (lv *leaving) over(*model) bool {
	stage, _ := lv.owner.Stage()
	return stage == Over
}

// detached is the answer to a request to detach.
type detached struct{ err error }

func (msg detached) route(m *model) tea.Cmd { return m.leaving.onDetached(msg) }

// detach leaves the run to itself.
func (lv *leaving) detach() tea.Cmd {
	ctx, detach := lv.ctx, lv.owner.Detach
	return func() tea.Msg { return detached{detach(ctx)} }
}

func (lv *leaving) onDetached(msg detached) tea.Cmd {
	if msg.err != nil {
		lv.fail(fmt.Errorf("detach: %w", msg.err))
		return nil
	}
	return tea.Quit
}

// leaveTarget leaves a target that continues, but not without a word about workers that would stay paused and
// breakpoints that would stay set.
func (lv *leaving) leaveTarget() tea.Cmd {
	n := lv.latest.PausedWorkers()
	if lv.sink == nil || lv.shell.feed.isLost() || lv.shell.feed.ended || lv.latest.Outcome.Result != "" || n == 0 && len(lv.shell.breaks.list) == 0 {
		return tea.Quit
	}
	question, leave := plural(n, "worker is paused", "workers are paused")+":", "resume and quit"
	if b := len(lv.shell.breaks.list); b > 0 {
		question, leave = plural(b, "breakpoint is set", "breakpoints are set")+":", "remove, resume and quit"
		if n > 0 {
			question = plural(n, "worker paused", "workers paused") + ", " + plural(b, "breakpoint set", "breakpoints set") + ":"
		}
	}
	lv.modal = &confirm{
		question: question,
		choices: []choice{
			{"r", leave, func(m *model) tea.Cmd { return m.leaving.leaveRunning(n > 0) }},
			{"l", "leave as is", func(*model) tea.Cmd { return tea.Quit }},
			{"c", "cancel", func(*model) tea.Cmd { return nil }},
		},
	}
	return nil
}

// leaveRunning takes away what would keep the target from running when the dashboard is gone.
func (lv *leaving) leaveRunning(paused bool) tea.Cmd {
	lv.quitting = true
	var cmds []tea.Cmd
	if t := lv.shell.breaks.breaker(); t != nil && len(lv.shell.breaks.list) > 0 {
		sink, ids := lv.sink, lv.shell.breaks.held()
		cmds = append(cmds, lv.shell.control.ask("remove all breakpoints", func(ctx context.Context) error {
			return errors.Join(t.Disarm(ctx, 0), resumeTasks(ctx, sink, ids))
		}))
	}
	if paused {
		cmds = append(cmds, lv.shell.control.everyone(megakernel.OpResumeAll, "resuming"))
	}
	return tea.Batch(cmds...)
}
