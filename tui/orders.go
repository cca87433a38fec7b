package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/command"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// typedOrder carries out a command on the target, as package command reads it.
func (ct *control) typedOrder(name string, args []string) (tea.Cmd, error) {
	o, err := command.ParseFields(append([]string{name}, args...))
	if wrong := (*fault.Error)(nil); errors.Is(err, command.ErrCommand) && errors.As(err, &wrong) {
		e := misuse(name, wrong.Detail)
		if !strings.HasPrefix(wrong.Fix, "write ") { // how it is written is not what is wrong
			e.Fix = wrong.Fix
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case command.Edit:
		return ct.shell.editor.typedEdit(&o.Edit)
	case command.Set:
		return ct.typedSet(&o)
	case command.Try:
		return ct.try(o.Shape), nil
	case command.Undo:
		return ct.undoLast(), nil
	case command.Break:
		return ct.shell.breaks.typedBreak(&o)
	case command.Note:
		return ct.typedNote(&o)
	case command.Record:
		return record(ct, o.File)
	case command.Reload, command.Spawn:
		return steer(ct, &o)
	case command.Rerun:
		return typedRerun(ct, &o)
	case command.Drain, command.Stop:
		return ct.typedEnd(&o)
	}
	return ct.typedCommand(&o)
}

// doing is what the row of a worker or task says until the target has answered.
var doing = map[string]string{
	"pause": "pausing", "resume": "resuming", "step": "stepping", "requeue": "requeue", "reprioritize": "moving", "reap": "reaping",
}

// typedCommand is for all workers, one worker or one task.
func (ct *control) typedCommand(o *command.Order) (tea.Cmd, error) {
	op := o.Command.Op
	switch {
	case o.On == command.Where:
		return ct.typedWhere(o)
	case op == megakernel.OpAdvanceEpoch:
		return ct.send(o.Command, subject{key: noSubject}, "advancing", o.Text), nil
	}
	switch o.On {
	case command.Worker:
		s, err := ct.typedWorker(o.Verb, o.Command.Worker)
		if err != nil {
			return nil, err
		}
		return ct.command(order{name: o.Verb, verb: doing[o.Verb], worker: op, arg: o.Command.Arg}, s), nil
	case command.Task:
		s, err := ct.typedTask(o.Verb, o.Command.Task)
		if err != nil {
			return nil, err
		}
		return ct.command(order{name: o.Verb, verb: doing[o.Verb], task: op, arg: o.Command.Arg}, s), nil
	}
	return ct.everyone(op, doing[o.Verb]), nil
}

// typedWhere is for the tasks that fulfil a condition; it asks first, and says how many there are. A script is not asked.
func (ct *control) typedWhere(o *command.Order) (tea.Cmd, error) {
	if ct.latest.Snap == nil {
		return nil, misuse(o.Verb, "nothing is known of the target yet")
	}
	var on []subject
	for _, p := range command.Pick(ct.latest.Snap, o.Command.Op, o.Where, ct.target.Opcodes) {
		on = append(on, subject{task: true, key: pane.TaskKey(p.ID, p.Slot)})
	}
	if len(on) == 0 {
		return nil, command.NonePicked(o, ct.latest.Snap, ct.target.Opcodes)
	}
	what := order{name: o.Verb, verb: doing[o.Verb], task: o.Command.Op, arg: o.Command.Arg}
	if ct.script.running {
		return ct.commandAll(what, on), nil
	}
	ct.modal = &confirm{
		question: fmt.Sprintf("%s %s?", o.Verb, plural(len(on), "task", "tasks")),
		choices:  []choice{{"y", "yes", func(m *model) tea.Cmd { return m.control.commandAll(what, on) }}, noChoice},
	}
	return nil, nil
}

func (ct *control) typedWorker(name string, n uint32) (subject, error) {
	if ct.latest.Worker(int(n)) == nil {
		return subject{}, misuse(name, fmt.Sprintf("worker %d does not exist; workers are numbered 0 to %d", n, len(ct.latest.Workers)-1))
	}
	return subject{key: uint64(n)}, nil
}

func (ct *control) typedTask(name string, id uint32) (subject, error) {
	slot, ok := ct.latest.FindTask(id, -1)
	if !ok {
		return subject{}, misuse(name, fmt.Sprintf("task %s does not exist, or it has ended", megakernel.TaskName(id)))
	}
	return subject{task: true, key: pane.TaskKey(id, slot)}, nil
}

// typedRetune changes the shape: what is not given stays.
func (ct *control) typedRetune(list []megakernel.Setting) (tea.Cmd, error) {
	s := ct.shape()
	for _, x := range list {
		if x.ID == megakernel.WorkersSetting {
			s.Workers = int(x.Value)
		} else {
			s.Lanes = int(x.Value)
		}
	}
	if err := ct.checkShape(s); err != nil {
		return nil, err
	}
	return ct.retune(s), nil
}

// shape is the present shape of the target.
func (ct *control) shape() megakernel.Shape {
	if s := ct.latest.Snap; s != nil {
		return megakernel.Shape{Workers: s.Workers, Lanes: s.Lanes}
	}
	return megakernel.Shape{Workers: ct.target.MaxWorkers, Lanes: ct.target.WorkgroupSize}
}

func (ct *control) checkShape(s megakernel.Shape) error {
	if most := ct.target.MaxWorkers; most > 0 && s.Workers > most {
		return misuse("retune", fmt.Sprintf("%d workers asked for, this target was started for at most %d", s.Workers, most))
	}
	if most := ct.target.LaneLimit(); most > 0 && s.Lanes > most {
		return misuse("retune", fmt.Sprintf("%d lanes asked for, a workgroup of this target can have %d", s.Lanes, most))
	}
	return nil
}

// typedEnd asks before it drains or stops the target; a script is not asked.
func (ct *control) typedEnd(o *command.Order) (tea.Cmd, error) {
	e := ct.can.ender
	if e == nil {
		return nil, misuse(o.Verb, "this target cannot be ended from here")
	}
	f, question := e.Drain, "take no new tasks from now on?"
	if o.Kind == command.Stop {
		f, question = e.Stop, "stop the run? what is queued stays undone"
	}
	run := func(m *model) tea.Cmd { return m.control.ask(o.Verb, f) }
	if ct.script.running {
		return run(ct.shell), nil
	}
	ct.modal = &confirm{question: question, choices: []choice{{"y", "yes", run}, noChoice}}
	return nil, nil
}

// typedNote adds a remark to the events of the target.
func (ct *control) typedNote(o *command.Order) (tea.Cmd, error) {
	n := ct.can.noter
	if n == nil {
		return nil, misuse(o.Verb, "this target keeps no remarks")
	}
	return ct.ask("note", func(ctx context.Context) error { return n.Note(ctx, o.Remark) }), nil
}

// record begins or ends a recording of the target.
func record(ct *control, file string) (tea.Cmd, error) {
	r := ct.can.recorder
	if r == nil {
		return nil, misuse("record", "this target cannot be recorded")
	}
	id := ct.requests.add(subject{key: noSubject}, "record", ct.now())
	ctx := ct.ctx
	return func() tea.Msg {
		said, err := r.Record(ctx, file)
		return answered{request: id, what: "record", said: said, err: err, plain: true}
	}, nil
}

// steer has the run take other handlers, a task, or a new beginning.
func steer(ct *control, o *command.Order) (tea.Cmd, error) {
	r := ct.can.runner
	if r == nil {
		return nil, misuse(o.Verb, "this target is not a live run")
	}
	id := ct.requests.add(subject{key: noSubject}, o.Verb, ct.now())
	if o.Kind != command.Spawn {
		ct.say(theme.Warning, o.Verb+": asked")
	}
	ctx, opcodes := ct.ctx, ct.target.Opcodes
	return func() tea.Msg {
		said, err := o.Steer(ctx, r, opcodes)
		return answered{request: id, what: o.Verb, said: said, err: err, plain: true}
	}, nil
}

// typedRerun asks before it ends a run that has not ended; a script is not asked.
func typedRerun(ct *control, o *command.Order) (tea.Cmd, error) {
	run := *o
	if owner := ct.shell.leaving.owner; owner != nil {
		if stage, _ := owner.Stage(); stage == Over {
			return steer(ct, &run)
		}
	}
	if ct.script.running || ct.can.runner == nil {
		return steer(ct, &run)
	}
	ct.modal = &confirm{question: "the run is not finished. End it, and start it again?", choices: []choice{{"y", "yes", func(m *model) tea.Cmd {
		cmd, err := steer(m.control, &run)
		if err != nil {
			m.control.fail(err)
		}
		return cmd
	}}, noChoice}}
	return nil, nil
}

// toggleRecording begins a recording in a file that the run names, or ends the one under way.
func (m *model) toggleRecording() tea.Cmd {
	cmd, err := record(m.control, "")
	if err != nil {
		m.control.fail(err)
	}
	return cmd
}

// ask starts something of which only the end is known.
func (ct *control) ask(what string, f func(context.Context) error) tea.Cmd {
	id := ct.requests.add(subject{key: noSubject}, what, ct.now())
	ct.say(theme.Warning, what+": asked")
	ctx := ct.ctx // it may take as long as the tasks that are there
	return func() tea.Msg { return answered{request: id, what: what, err: f(ctx), plain: true} }
}
