package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// order is something the user wants done to workers or tasks.
type order struct {
	name   string // "pause"
	verb   string // "pausing"
	worker megakernel.CommandOp
	task   megakernel.CommandOp
	arg    uint32
}

var (
	pauseOrder  = order{name: "pause", verb: "pausing", worker: megakernel.OpPauseWorker, task: megakernel.OpPauseTask}
	resumeOrder = order{name: "resume", verb: "resuming", worker: megakernel.OpResumeWorker, task: megakernel.OpResumeTask}
	stepOrder   = order{name: "step", verb: "stepping", worker: megakernel.OpStepWorker, arg: 1}
)

func requeueOrder(p tasks.Priority) order {
	return order{name: "requeue", verb: "requeue", task: megakernel.OpRequeueTask, arg: uint32(p)}
}

// subjects are what an order given now acts on: the marked rows, else the selected one. They are
// fixed here, at the key press; the table may change afterwards as it likes.
func (vs *views) subjects() []subject {
	task := vs.shown().Spec().Traits&keymap.TaskRows != 0
	t := vs.table()
	if len(t.Marks) > 0 {
		out := make([]subject, 0, len(t.Marks))
		for _, key := range slices.Sorted(maps.Keys(t.Marks)) {
			if !vs.exists(task, key) { // rows stay marked after a command, and tasks end
				delete(t.Marks, key)
				continue
			}
			out = append(out, subject{task: task, key: key})
		}
		return out
	}
	if s, ok := vs.selected(); ok {
		return []subject{s}
	}
	return nil
}

// exists reports whether there is the worker or task of a row.
func (vs *views) exists(task bool, key uint64) bool {
	if !task {
		return vs.latest.Worker(int(key)) != nil
	}
	id, slot := pane.SplitTaskKey(key)
	_, ok := vs.latest.FindTask(id, slot)
	return ok
}

// selected is the worker or task of the selected row, or the task in the selected slot of the ring.
func (vs *views) selected() (subject, bool) {
	spec := vs.shown().Spec()
	if spec.Traits&keymap.SlotCells != 0 {
		id, ok := spec.Task()
		return subject{task: true, key: pane.TaskKey(id, int(spec.Of()))}, ok
	}
	key, _, ok := vs.table().Selection()
	return subject{task: spec.Traits&keymap.TaskRows != 0, key: key}, ok
}

// noSubject says why an order of that name has nothing to act on.
func (vs *views) noSubject(name string) string {
	if ring, ok := vs.shown().(*pane.RingPane); ok {
		if per := ring.Map().Per; per > 1 {
			return fmt.Sprintf("%s: a cell is %d slots here; press Enter to zoom in", name, per)
		}
		return fmt.Sprintf("%s: slot %d holds no task", name, ring.Cursor)
	}
	return "nothing to " + name + " is selected: it ended or is filtered out; use the arrows"
}

// give carries out an order on the subjects; more than one are asked about first.
func (ct *control) give(o order) tea.Cmd {
	if o.name == pauseOrder.name && o.tooLate(ct) {
		return nil
	}
	on := ct.shell.subjects()
	switch len(on) {
	case 0:
		ct.say(theme.Warning, ct.shell.noSubject(o.name))
		return nil
	case 1:
		return ct.command(o, on[0])
	}
	ct.modal = &confirm{
		question: fmt.Sprintf("%s %s?", o.name, strings.Replace(kindOf(on), " ", " marked ", 1)),
		choices:  []choice{{"y", "yes", func(m *model) tea.Cmd { return m.control.commandAll(o, on) }}, noChoice},
	}
	return nil
}

// kindOf is how many workers or tasks there are.
func kindOf(on []subject) string {
	if len(on) > 0 && on[0].task {
		return plural(len(on), "task", "tasks")
	}
	return plural(len(on), "worker", "workers")
}

func (ct *control) commandAll(o order, on []subject) tea.Cmd {
	cmds, before := make([]tea.Cmd, 0, len(on)), ct.requests.last
	for _, s := range on {
		cmds = append(cmds, ct.command(o, s))
	}
	if len(on) > 1 {
		ct.requests.grouped(before, o.name+" "+kindOf(on))
	}
	return tea.Batch(cmds...)
}

// command sends one order for one subject.
func (ct *control) command(o order, s subject) tea.Cmd {
	if s.task {
		id, slot := pane.SplitTaskKey(s.key)
		c := megakernel.Command{Op: o.task, Task: id, Slot: uint32(slot), Arg: o.arg}
		return ct.send(c, s, o.verb, o.name+" task "+megakernel.TaskName(id))
	}
	c := megakernel.Command{Op: o.worker, Worker: uint32(s.key), Arg: o.arg}
	return ct.send(c, s, o.verb, fmt.Sprintf("%s worker %d", o.name, s.key))
}

// plural is a number with the word for one, or for more.
func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// tooLate reports whether the run has finished, and says so: nothing is left to pause or to step.
func (o order) tooLate(ct *control) bool {
	if ct.latest.Outcome.Result == "" {
		return false
	}
	ct.say(theme.Warning, "nothing to "+o.name+": the run has finished")
	return true
}

// step runs one activation on the selected worker, which must be paused.
func (ct *control) step() tea.Cmd {
	if stepOrder.tooLate(ct) {
		return nil
	}
	key, _, ok := ct.shell.table().Selection()
	w := ct.latest.Worker(int(key))
	if !ok || w == nil || len(ct.shell.table().Marks) > 0 {
		return ct.give(stepOrder)
	}
	if w.State != megakernel.WorkerPaused {
		ct.say(theme.Warning, fmt.Sprintf("worker %d is %s: pause it with p, then step", key, w.State))
		return nil
	}
	return ct.command(stepOrder, subject{key: key})
}

// everyone pauses or resumes all workers.
func (ct *control) everyone(op megakernel.CommandOp, verb string) tea.Cmd {
	ct.say(theme.Warning, op.String()+": asked, waiting for the last worker")
	return ct.send(megakernel.Command{Op: op}, subject{key: noSubject}, verb, op.String())
}

func (ct *control) askEveryone(op megakernel.CommandOp, verb string) tea.Cmd {
	ask := &confirm{
		question: everyWorker(op.String(), len(ct.latest.Workers)),
		choices:  []choice{{"y", "yes", func(m *model) tea.Cmd { return m.control.everyone(op, verb) }}, noChoice},
	}
	if op == megakernel.OpResumeAll {
		ask.live = func(m *model) string { return m.control.holds().question(ask.question, m.control.resumeKey()) }
		if ct.holds().resumable() > 0 {
			ask.moot, ask.answered = func(m *model) bool { return m.control.holds().resumable() == 0 }, "everything has been resumed"
		}
	}
	ct.modal = ask
	return nil
}

// everyWorker asks whether an order such as "pause all" is meant, for n workers.
func everyWorker(name string, n int) string {
	if n == 1 {
		return strings.TrimSuffix(name, " all") + " the only worker?"
	}
	return fmt.Sprintf("%s %d workers?", name, n)
}

// askPriority asks for the priority and requeues what was selected when R was pressed.
func (ct *control) askPriority() tea.Cmd {
	on := ct.shell.subjects()
	if len(on) == 0 {
		return ct.give(requeueOrder(tasks.Normal))
	}
	c := &confirm{question: fmt.Sprintf("requeue %d tasks as", len(on))}
	if len(on) == 1 {
		id, _ := pane.SplitTaskKey(on[0].key)
		c.question = "requeue task " + megakernel.TaskName(id) + " as"
	}
	for p := range tasks.Priority(tasks.NumPriorities) {
		c.choices = append(c.choices, choice{string(rune('0' + p)), p.String(), func(m *model) tea.Cmd {
			return m.control.commandAll(requeueOrder(p), on)
		}})
	}
	ct.modal = c
	return nil
}
