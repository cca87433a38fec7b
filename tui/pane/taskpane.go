package pane

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
	"vyretop/megakernel/filter"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/layout"
	"vyretop/tui/theme"
)

var taskView = Kind{
	Spec: keymap.Spec{
		View: keymap.Tasks, Digit: "3", Traits: keymap.Table | keymap.TaskRows | keymap.Markable | keymap.Editable | keymap.HasChips | keymap.HasLog,
		Keys: []keymap.OwnKey{{After: keymap.Variant, Binding: keymap.Binding{
			ID: keymap.Tree, Keys: []string{"t"}, Source: keymap.Any, Section: keymap.TableSection, Help: "tree of the tasks: children below their parents",
		}}},
	},
	New: newTaskPane, Want: layout.Want{Log: true, Detail: true}, Head: tableHead, Command: "tasks", Prints: filter.TaskColumns,
}

// taskPane is the tasks in the ring.
type taskPane struct {
	tablePane

	rows Tasks
}

func newTaskPane(e *Env, k *Kind) Pane {
	p := &taskPane{}
	t := &Table{Env: e, View: keymap.Tasks, Chips: TaskChips, Always: true, Many: true, Make: func() Rows {
		return p.rows.Renew(e.Frame(), e.Look, e.Pending(true))
	}}
	p.tablePane = tablePane{
		Env: e, table: t,
		heading: func(a *Arranged) Heading { return e.Look.TasksHeading(a.Rows, &a.Order, &t.TableState) },
		spec: Spec{
			Kind: k, Detail: func(a cells.Area) int { return e.Look.DrawTaskDetail(a, e.Frame(), t.Selected, t.HasSelected) },
			Track: p.track, LogOf: p.logOf, Edit: p.edit, Task: p.task,
			Source: func() bool { return e.hasSource(p.task) },
			Hooks:  Hooks{Work: func(bool) tea.Cmd { return t.Resort() }, Working: t.Sorting},
			Keys: map[string]func(){keymap.Tree: func() {
				t.Tree = !t.Tree
				t.Rearrange()
			}},
		},
	}
	return p
}

// Enter implements Pane: it opens the source of a task, as openSource says. Where the selected
// task has ended, details are of the first one in sight.
func (p *taskPane) Enter() bool {
	selectAny(p.table)
	return p.openSource(p.task)
}

// task is the selected one, which the details show also where the filter hides it.
func (p *taskPane) task() (id uint32, ok bool) {
	if !p.table.HasSelected {
		return 0, false
	}
	id, _ = SplitTaskKey(p.table.Selected)
	return id, true
}

// openSource shows the source of a task that a breakpoint holds or that has faulted, and of any in a recording that can be executed again; false for others, and where the
// kernel or the buffers are not known.
func (e *Env) openSource(of func() (uint32, bool)) bool {
	if !e.hasSource(of) {
		return false
	}
	id, _ := of()
	if p, ok := e.Show(keymap.Code).(*sourcePane); ok {
		p.open(id)
	}
	return true
}

// hasSource reports whether openSource has something to show.
func (e *Env) hasSource(of func() (uint32, bool)) bool {
	id, ok := of()
	if !ok || e.Frame().Snap == nil {
		return false
	}
	slot, ok := e.Frame().FindTask(id, -1)
	return ok && (Held(e.Frame().Snap.Slot(slot)) || e.Again != nil) && e.Reader != nil && len(e.Target.Kernel) > 0
}

func (p *taskPane) track() (Track, bool) {
	if !p.table.HasSelected {
		return Track{}, false
	}
	return taskTrack(SplitTaskKey(p.table.Selected)), true
}

func (p *taskPane) logOf(key uint64, _ int) string {
	id, _ := SplitTaskKey(key)
	return "task=" + megakernel.TaskName(id)
}

// edit is the operand of the selected task.
func (p *taskPane) edit() (e Edit, ok bool) {
	key, _, ok := p.table.Selection()
	id, slot := SplitTaskKey(key)
	v, _ := p.Frame().Word(WordAt{RingBuffer, slot*tasks.SlotWords + tasks.WordParam})
	return Edit{Line: fmt.Sprintf("edit task %s param %d", megakernel.TaskName(id), v)}, ok
}

// openTask shows a task that is still in the ring, with its details; false where it is gone.
func (e *Env) openTask(id uint32) bool {
	slot, ok := e.Frame().FindTask(id, -1)
	if ok {
		e.Open(keymap.Tasks, TaskKey(id, slot))
	}
	return ok
}

// openWorker shows a worker, with its details: the task that it ran is gone.
func (e *Env) openWorker(id int) bool {
	if e.Frame().Worker(id) == nil {
		return false
	}
	e.Open(keymap.Workers, uint64(id))
	e.Say(theme.Plain, "the task has ended and its slot is used again: this is the worker that ran it")
	return true
}
