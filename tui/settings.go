package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
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

// applyLaunch asks before it gives the target the recommended shape.
func (m *model) applyLaunch() tea.Cmd {
	v := view.NewLaunch(m.latest, &m.launch)
	workers, lanes := v.Shape()
	shape := megakernel.Shape{Workers: workers, Lanes: lanes}
	if v.Err != nil || workers == 0 || m.latest.Snap == nil {
		m.say(theme.Warning, "there is no recommendation to apply: see what the view says about the inputs")
		return nil
	}
	if shape == m.shape() {
		m.say(theme.Plain, fmt.Sprintf("%d workers of %d lanes are in force already", workers, lanes))
		return nil
	}
	m.modal = &confirm{
		question: fmt.Sprintf("retune to %d workers of %d lanes?", workers, lanes),
		choices:  []choice{{"y", "yes", func(m *model) tea.Cmd { return m.retune(shape) }}, noChoice},
	}
	return nil
}
