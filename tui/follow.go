package tui

import (
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// followEvent shows the task, or else the worker, that the selected event is about; false where it names none.
func (m *model) followEvent() bool {
	_, row, ok := m.table().Selection()
	if !ok || row >= len(m.frame().Events) {
		return false
	}
	p := m.frame().Events[row].Place
	return p != nil && (p.Task != 0 && m.goToTask(p.Task) || m.goToWorker(p.Worker))
}

// followRecord shows the task of the selected record of the log, or its worker where the task is gone; false for records that are
// missing.
func (m *model) followRecord() bool {
	v, ok := m.table().Arrange().Rows.(*pane.Log)
	_, row, selected := m.table().Selection()
	if !ok || !selected {
		return false
	}
	r, ok := v.Record(row)
	return ok && (m.goToTask(r.Task) || m.goToWorker(int(r.Worker)))
}

// goToTask selects a task that is still in the ring, with its details.
func (m *model) goToTask(id uint32) bool {
	slot, ok := m.frame().FindTask(id, -1)
	if !ok {
		return false
	}
	m.showTab(keymap.Tasks)
	t := m.table()
	t.Selected, t.HasSelected = pane.TaskKey(id, slot), true
	m.expanded = true
	m.forgetRows()
	return true
}

// goToWorker selects a worker, with its details: the task that it ran is gone.
func (m *model) goToWorker(id int) bool {
	if m.frame().Worker(id) == nil {
		return false
	}
	m.showTab(keymap.Workers)
	t := m.table()
	t.Selected, t.HasSelected = uint64(id), true
	m.expanded = true
	m.forgetRows()
	m.say(theme.Plain, "the task has ended and its slot is used again: this is the worker that ran it")
	return true
}
