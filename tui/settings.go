package tui

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/megakernel/tune"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// typedSet changes settings: "set workers=4 tenant-quota.3=500".
func (ct *control) typedSet(o *command.Order) (tea.Cmd, error) {
	t := ct.can.tuner
	switch {
	case o.Verb == "retune":
		return ct.typedRetune(o.Settings)
	case t == nil:
		return nil, misuse(o.Verb, "this target takes no settings")
	}
	apply := func(ctx context.Context) ([]megakernel.Change, error) { return t.Apply(ctx, o.Settings...) }
	return ct.change(o.Verb, apply, func(m *model) { m.control.undoSettings() }), nil
}

// undoSettings has the next undo take the settings back that were changed last.
func (ct *control) undoSettings() {
	if t := ct.can.tuner; t != nil {
		ct.undo = append(ct.undo, func(m *model) tea.Cmd { return m.control.change("undo", t.Undo, nil) })
	}
}

// change starts something that changes settings; applied, when not nil, is called when it has.
func (ct *control) change(name string, f func(context.Context) ([]megakernel.Change, error), applied func(*model)) tea.Cmd {
	id := ct.requests.add(subject{key: noSubject}, "changing", ct.now())
	ct.requests.open[id].applied = applied
	ct.say(theme.Warning, name+": at the next slice boundary")
	return ct.await(func(ctx context.Context) answered {
		changes, err := f(ctx)
		return answered{request: id, what: changeText(name, changes), err: err, plain: true}
	})
}

// changeText names a request for settings with what it changed. It has changed nothing where it failed, or where all values
// were in force already.
func changeText(name string, changes []megakernel.Change) string {
	if len(changes) == 0 {
		return name
	}
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = c.String()
	}
	text := strings.Join(texts, "; ")
	if strings.HasPrefix(text, name) { // the setting says what was asked for
		return text
	}
	return name + " " + text
}

// shapeText is a shape in words.
func shapeText(workers, lanes int) string {
	return units.Plural(workers, "worker") + " of " + units.Plural(lanes, "lane")
}

// applyLaunch asks before it tries the recommended shape.
func (ct *control) applyLaunch() tea.Cmd {
	v := pane.NewLaunch(ct.latest, &ct.shell.launch.LaunchState)
	workers, lanes := v.Shape(ct.latest, &ct.shell.launch.LaunchState)
	shape := megakernel.Shape{Workers: workers, Lanes: lanes}
	switch {
	case ct.latest.Outcome.Result != "":
		ct.say(theme.Warning, "no recommendation to apply: the run has finished")
		return nil
	case ct.latest.Snap == nil || workers == 0:
		ct.say(theme.Warning, "no recommendation to apply: "+cmp.Or(ct.latest.Advice.Reason, "the launch view says which inputs are invalid"))
		return nil
	case shape == ct.shape():
		ct.say(theme.Plain, fmt.Sprintf("the shape is %s already", shapeText(workers, lanes)))
		return nil
	}
	question := fmt.Sprintf("try %s, and take that back unless it is faster?", shapeText(workers, lanes))
	apply := func(m *model) tea.Cmd { return m.control.try(shape) }
	if ct.can.trier == nil {
		question = fmt.Sprintf("retune to %s?", shapeText(workers, lanes))
		apply = func(m *model) tea.Cmd { return m.control.retune(shape) }
	}
	ct.modal = &confirm{question: question, choices: []choice{{"y", "yes", apply}, noChoice}}
	return nil
}

// shapeTried is the outcome of a trial.
type shapeTried struct {
	request uint64
	trial   tune.Trial
	err     error
}

func (msg shapeTried) route(m *model) tea.Cmd {
	m.control.onTried(msg)
	return nil
}

// trialTimeout is how long a trial may take: its windows, and as many slice boundaries.
const trialTimeout = time.Minute

// try has the target try a shape; zero is the recommended one.
func (ct *control) try(shape megakernel.Shape) tea.Cmd {
	t := ct.can.trier
	if t == nil {
		ct.say(theme.Plain, "this target cannot try shapes")
		return nil
	}
	id := ct.requests.add(subject{key: noSubject}, trying, ct.now())
	ct.say(theme.Warning, "measuring the shape against the one in force")
	parent := ct.ctx
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, trialTimeout)
		defer cancel()
		trial, err := t.Try(ctx, shape)
		return shapeTried{id, trial, err}
	}
}

// onTried shows the outcome of a trial.
func (ct *control) onTried(msg shapeTried) {
	delete(ct.requests.open, msg.request)
	ct.shell.feed.advice.learn(&msg.trial)
	switch {
	case msg.err != nil:
		ct.fail(fmt.Errorf("apply: %w", msg.err))
	case msg.trial.Kept:
		ct.undoSettings()
		ct.say(theme.Good, msg.trial.String())
	default:
		ct.say(theme.Warning, msg.trial.String())
	}
}

// quota is that of a tenant, where settings can be changed.
func (ct *control) quota(tenant uint64) (uint32, bool) {
	t := ct.can.tuner
	if t == nil || tenant >= megakernel.Tenants {
		return 0, false
	}
	now := t.Settings()
	return now.TenantQuota[tenant], true
}
