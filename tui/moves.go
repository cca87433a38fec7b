package tui

import (
	"strconv"

	"vyretop/megakernel"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// toggleTree lists children below their parents, or all tasks as they are sorted.
func (m *model) toggleTree() {
	m.table().Tree = !m.table().Tree
	m.table().Rearrange()
}

// toggleWrap breaks long texts into lines, in tables and in the log below them, or cuts them.
func (m *model) toggleWrap() {
	m.look.Wrap = !m.look.Wrap
	if m.look.Wrap {
		m.say(theme.Plain, "long lines are wrapped")
	} else {
		m.say(theme.Plain, "long lines are cut")
	}
}

// showLogOf shows what the selected worker or task wrote to the log; in the log itself, what the task
// of the selected record did.
func (m *model) showLogOf() {
	key, row, ok := m.table().Selection()
	if !ok {
		m.say(theme.Warning, "nothing is selected: move with the arrows first")
		return
	}
	text := "worker=" + strconv.FormatUint(key, 10)
	switch m.tab {
	case keymap.Tasks:
		id, _ := pane.SplitTaskKey(key)
		text = "task=" + megakernel.TaskName(id)
	case keymap.Log:
		if v, ok := m.table().Arrange().Rows.(*pane.Log); ok {
			r, _ := v.Record(row)
			text = "task=" + megakernel.TaskName(r.Task)
		}
	}
	m.showTab(keymap.Log)
	m.table().HasSelected = false
	if err := m.table().KeepFilter(text); err != nil {
		m.fail(err)
	}
}

// pageRows is the number of rows of the current view that fit on the screen.
func (m *model) pageRows() int {
	l := m.layout()
	switch {
	case m.details.reading():
		return max(l.Main.H-1, 1) // their title stays
	case m.tab == keymap.Ring:
		return max(pane.MapArea(l.Main).H, 1)
	}
	return max(l.Main.H-m.head(l.Main), 1)
}

// moveRows moves the selection by rows, in whatever way the view has.
func (m *model) moveRows(by int) {
	switch m.tab {
	case keymap.Ring:
		m.ring.moveCell(0, by)
	case keymap.Launch:
		m.launch.Selected = min(max(m.launch.Selected+by, 0), len(pane.LaunchInputs)-1)
	case keymap.Memory:
		m.memory.moveWord(by)
	default:
		m.table().Move(by)
	}
}

// turn moves by so many rows where pages are turned: in details that take the whole panel, else in the table.
func (m *model) turn(by int) {
	if m.details.reading() {
		m.details.scrollDetails(by)
		return
	}
	m.moveRows(by)
}

// toTop and toEnd select the first and the last row, or show the start and the end of details.
func (m *model) toTop() {
	switch {
	case m.details.reading():
		m.details.scrollDetails(-m.details.rows)
	case m.tab == keymap.Ring:
		m.ring.Cursor = m.ring.ringMap().First
	case m.tab == keymap.Launch:
		m.launch.Selected = 0
	default:
		m.table().SelectAt(0)
	}
}

func (m *model) toEnd() {
	switch {
	case m.details.reading():
		m.details.scrollDetails(m.details.rows)
	case m.tab == keymap.Ring:
		r := m.ring.ringMap()
		m.ring.Cursor = max(r.First+r.Slots-1, r.First)
	case m.tab == keymap.Launch:
		m.launch.Selected = len(pane.LaunchInputs) - 1
	default:
		m.table().Jump(true)
	}
}

// moveSide moves to the left or right where there are cells instead of rows.
func (m *model) moveSide(by int) {
	switch m.tab {
	case keymap.Ring:
		m.ring.moveCell(by, 0)
	case keymap.Launch:
		m.launch.scaleInput(by)
	case keymap.Timeline:
		m.timeline.pan(by, m.layout().Main.W, m.frame())
	}
}

// vary shows the same in another way.
func (m *model) vary() {
	m.forgetRows()
	switch m.tab {
	case keymap.Ring:
		m.ring.ByPriority = !m.ring.ByPriority
	case keymap.Log:
		m.nextContext()
	case keymap.Memory:
		m.memory.nextBuffer()
	case keymap.Fairness:
		m.fairness = (m.fairness + 1) % pane.NumFairnessModes
	case keymap.Timeline:
		m.timeline.toggleWhole()
	case keymap.Diff:
		m.diff.all = !m.diff.all
	}
}

// enter goes into what is selected.
func (m *model) enter() {
	switch m.tab {
	case keymap.Ring:
		m.ring.zoomIn()
	case keymap.Launch:
		m.launch.openInput()
	case keymap.Fairness:
		m.showTenant()
	case keymap.Events:
		if !m.expanded && m.followEvent() {
			return
		}
		m.expanded = !m.expanded
	case keymap.Log:
		if !m.expanded && m.followRecord() {
			return
		}
		m.expanded = !m.expanded
	case keymap.Timeline:
		if !m.timeline.enterSpan() {
			m.expanded = !m.expanded
		}
	default:
		m.expanded = !m.expanded
	}
}

// showTenant lists the tasks of the selected tenant.
func (m *model) showTenant() {
	tenant, _, ok := m.table().Selection()
	if !ok {
		return
	}
	m.showTab(keymap.Tasks)
	if err := m.table().KeepFilter("tenant=" + strconv.FormatUint(tenant, 10)); err != nil {
		m.fail(err)
	}
}
