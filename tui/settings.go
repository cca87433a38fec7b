package tui

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/tui/steer"
	"vyretop/tui/theme"
	"vyretop/tui/view"
)

// typedSet changes settings: "set workers=4 tenant-quota.3=500".
func (m *model) typedSet(o *steer.Order) (tea.Cmd, error) {
	t, ok := m.sink.(Tuner)
	switch {
	case o.Verb == "retune":
		return m.typedRetune(o.Settings)
	case !ok:
		return nil, misuse(o.Verb, "this target takes no settings")
	}
	apply := func(ctx context.Context) ([]megakernel.Change, error) { return t.Apply(ctx, o.Settings...) }
	return m.change(o.Verb, apply, func(m *model) { m.undoSettings() }), nil
}

// undoSettings has the next undo take the settings back that were changed last.
func (m *model) undoSettings() {
	if t, ok := m.sink.(Tuner); ok {
		m.undo = append(m.undo, func(m *model) tea.Cmd { return m.change("undo", t.Undo, nil) })
	}
}

// change starts something that changes settings; applied, when not nil, is called when it has.
func (m *model) change(name string, f func(context.Context) ([]megakernel.Change, error), applied func(*model)) tea.Cmd {
	id := m.requests.add(subject{key: noSubject}, "changing", m.now())
	m.requests.open[id].applied = applied
	m.say(theme.Warning, name+": at the next slice boundary")
	return m.await(func(ctx context.Context) answered {
		changes, err := f(ctx)
		texts := make([]string, len(changes))
		for i, c := range changes {
			texts[i] = c.String()
		}
		return answered{request: id, what: name + " " + strings.Join(texts, "; "), err: err, plain: true}
	})
}

// applyLaunch asks before it tries the recommended shape.
func (m *model) applyLaunch() tea.Cmd {
	v := view.NewLaunch(m.latest, &m.launch)
	workers, lanes := v.Shape(m.latest, &m.launch)
	shape := megakernel.Shape{Workers: workers, Lanes: lanes}
	switch {
	case m.latest.Snap == nil || workers == 0:
		m.say(theme.Warning, "there is no recommendation to apply: "+cmp.Or(m.latest.Advice.Reason, "see what the view says about the inputs"))
		return nil
	case shape == m.shape():
		m.say(theme.Plain, fmt.Sprintf("%d workers of %d lanes are in force already", workers, lanes))
		return nil
	}
	question := fmt.Sprintf("try %d workers of %d lanes, and take that back unless it is faster?", workers, lanes)
	apply := func(m *model) tea.Cmd { return m.try(shape) }
	if _, ok := m.sink.(steer.Trier); !ok {
		question = fmt.Sprintf("retune to %d workers of %d lanes?", workers, lanes)
		apply = func(m *model) tea.Cmd { return m.retune(shape) }
	}
	m.modal = &confirm{question: question, choices: []choice{{"y", "yes", apply}, noChoice}}
	return nil
}

// shapeTried is the outcome of a trial.
type shapeTried struct {
	request uint64
	trial   tune.Trial
	err     error
}

// trialTimeout is how long a trial may take: its windows, and as many slice boundaries.
const trialTimeout = time.Minute

// try has the target try a shape; zero is the recommended one.
func (m *model) try(shape megakernel.Shape) tea.Cmd {
	t, ok := m.sink.(steer.Trier)
	if !ok {
		m.say(theme.Plain, "this target cannot try shapes")
		return nil
	}
	id := m.requests.add(subject{key: noSubject}, "trying", m.now())
	m.say(theme.Warning, "measuring the shape against the one in force")
	parent := m.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, trialTimeout)
		defer cancel()
		trial, err := t.Try(ctx, shape)
		return shapeTried{id, trial, err}
	}
}

// onTried shows the outcome of a trial.
func (m *model) onTried(msg shapeTried) {
	delete(m.requests.open, msg.request)
	switch {
	case msg.err != nil:
		m.fail(fmt.Errorf("apply: %w", msg.err))
	case msg.trial.Kept:
		m.undoSettings()
		m.say(theme.Good, msg.trial.String())
	default:
		m.say(theme.Warning, msg.trial.String())
	}
}
