package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tui/steer"
	"vyretop/tui/theme"
	"vyretop/tui/view"
)

// typedOrder carries out a command on the target, as package steer reads it.
func (m *model) typedOrder(name string, args []string) (tea.Cmd, error) {
	o, err := steer.ParseFields(append([]string{name}, args...))
	if wrong := (*steer.CommandError)(nil); errors.As(err, &wrong) {
		return nil, misuse(name, wrong.Detail)
	}
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case steer.Edit:
		return m.typedEdit(&o.Edit)
	case steer.Set:
		return m.typedSet(&o)
	case steer.Try:
		return m.try(o.Shape), nil
	case steer.Undo:
		return m.undoLast(), nil
	case steer.Break:
		return m.typedBreak(&o)
	case steer.Note:
		return m.typedNote(&o)
	case steer.Drain, steer.Stop:
		return m.typedEnd(&o)
	}
	return m.typedCommand(&o)
}

// doing is what the row of a worker or task says until the target has answered.
var doing = map[string]string{
	"pause": "pausing", "resume": "resuming", "step": "stepping", "requeue": "requeue", "reprioritise": "moving", "reap": "reaping",
}

// typedCommand is for all workers, one worker or one task.
func (m *model) typedCommand(o *steer.Order) (tea.Cmd, error) {
	op := o.Command.Op
	switch {
	case o.On == steer.Where:
		return m.typedWhere(o)
	case op == megakernel.OpAdvanceEpoch:
		return m.send(o.Command, subject{key: noSubject}, "advancing", o.Text), nil
	}
	switch o.On {
	case steer.Worker:
		s, err := m.typedWorker(o.Verb, o.Command.Worker)
		if err != nil {
			return nil, err
		}
		return m.command(order{name: o.Verb, verb: doing[o.Verb], worker: op, arg: o.Command.Arg}, s), nil
	case steer.Task:
		s, err := m.typedTask(o.Verb, o.Command.Task)
		if err != nil {
			return nil, err
		}
		return m.command(order{name: o.Verb, verb: doing[o.Verb], task: op, arg: o.Command.Arg}, s), nil
	}
	return m.everyone(op, doing[o.Verb]), nil
}

// typedWhere is for the tasks that fulfil a condition; it asks first, and says how many there are. A script is not asked.
func (m *model) typedWhere(o *steer.Order) (tea.Cmd, error) {
	if m.latest.Snap == nil {
		return nil, misuse(o.Verb, "nothing is known of the target yet")
	}
	var on []subject
	for _, p := range steer.Pick(m.latest.Snap, o.Command.Op, o.Where, m.target.Opcodes) {
		on = append(on, subject{task: true, key: view.TaskKey(p.ID, p.Slot)})
	}
	if len(on) == 0 {
		return nil, misuse(o.Verb, "no task matches")
	}
	what := order{name: o.Verb, verb: doing[o.Verb], task: o.Command.Op, arg: o.Command.Arg}
	if m.script.running {
		return m.commandAll(what, on), nil
	}
	m.modal = &confirm{
		question: fmt.Sprintf("%s %s?", o.Verb, plural(len(on), "task", "tasks")),
		choices:  []choice{{"y", "yes", func(m *model) tea.Cmd { return m.commandAll(what, on) }}, noChoice},
	}
	return nil, nil
}

func (m *model) typedWorker(name string, n uint32) (subject, error) {
	if m.latest.Worker(int(n)) == nil {
		return subject{}, misuse(name, fmt.Sprintf("there is no worker %d, they go from 0 to %d", n, len(m.latest.Workers)-1))
	}
	return subject{key: uint64(n)}, nil
}

func (m *model) typedTask(name string, id uint32) (subject, error) {
	slot, ok := m.latest.FindTask(id, -1)
	if !ok {
		return subject{}, misuse(name, fmt.Sprintf("there is no task %s, or it has ended", view.TaskName(id)))
	}
	return subject{task: true, key: view.TaskKey(id, slot)}, nil
}

// typedRetune changes the shape: what is not given stays.
func (m *model) typedRetune(list []megakernel.Setting) (tea.Cmd, error) {
	s := m.shape()
	for _, x := range list {
		if x.Knob == megakernel.KnobWorkers {
			s.Workers = int(x.Value)
		} else {
			s.Lanes = int(x.Value)
		}
	}
	if err := m.checkShape(s); err != nil {
		return nil, err
	}
	return m.retune(s), nil
}

// shape is the present shape of the target.
func (m *model) shape() megakernel.Shape {
	if s := m.latest.Snap; s != nil {
		return megakernel.Shape{Workers: s.Workers, Lanes: s.Lanes}
	}
	return megakernel.Shape{Workers: m.target.MaxWorkers, Lanes: m.target.WorkgroupSize}
}

func (m *model) checkShape(s megakernel.Shape) error {
	if most := m.target.MaxWorkers; most > 0 && s.Workers > most {
		return misuse("retune", fmt.Sprintf("%d workers asked for, this target was started for at most %d", s.Workers, most))
	}
	if most := m.target.LaneLimit(); most > 0 && s.Lanes > most {
		return misuse("retune", fmt.Sprintf("%d lanes asked for, a workgroup of this target can have %d", s.Lanes, most))
	}
	return nil
}

// typedEnd asks before it drains or stops the target; a script is not asked.
func (m *model) typedEnd(o *steer.Order) (tea.Cmd, error) {
	e, ok := m.sink.(Ender)
	if !ok {
		return nil, misuse(o.Verb, "this target cannot be ended from here")
	}
	f, question := e.Drain, "take no new tasks from now on?"
	if o.Kind == steer.Stop {
		f, question = e.Stop, "stop the run? what is queued stays undone"
	}
	run := func(m *model) tea.Cmd { return m.ask(o.Verb, f) }
	if m.script.running {
		return run(m), nil
	}
	m.modal = &confirm{question: question, choices: []choice{{"y", "yes", run}, noChoice}}
	return nil, nil
}

// typedNote adds a remark to the events of the target.
func (m *model) typedNote(o *steer.Order) (tea.Cmd, error) {
	n, ok := m.sink.(steer.Noter)
	if !ok {
		return nil, misuse(o.Verb, "this target keeps no remarks")
	}
	return m.ask("note", func(ctx context.Context) error { return n.Note(ctx, o.Remark) }), nil
}

// ask starts something of which only the end is known.
func (m *model) ask(what string, f func(context.Context) error) tea.Cmd {
	id := m.requests.add(subject{key: noSubject}, what, m.now())
	m.say(theme.Warning, what+": asked")
	ctx := m.ctx // it may take as long as the tasks that are there
	return func() tea.Msg { return answered{request: id, what: what, err: f(ctx), plain: true} }
}
