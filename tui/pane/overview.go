package pane

import (
	"slices"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// countOrder is the states as DrawCounts shows them: first what can run, then what cannot.
var countOrder = []tasks.State{
	tasks.Running, tasks.Ready, tasks.Yielded, tasks.Requeued,
	tasks.Paused, tasks.Faulted, tasks.Done, tasks.Empty,
}

// Columns of the counts: a label where there is room, then fields of equal width.
const (
	countLabel    = 10
	countField    = 17
	priorityField = 14
	waitField     = 22                        // of a priority with how long its tasks wait
	countWidth    = countLabel + 4*countField // from here on there are labels and priorities
	waitWidth     = countLabel + tasks.NumPriorities*waitField
)

// countFields is how many counts fit side by side into width columns.
func countFields(width int) int {
	if width >= countWidth {
		return 4
	}
	return max((width-1)/countField, 1)
}

// CountRows is the number of rows that DrawCounts needs in an area of the given width.
func CountRows(width int) int {
	n := countFields(width)
	rows := (len(countOrder) + n - 1) / n
	if width >= countWidth {
		rows++
	}
	return rows
}

// DrawCounts draws the number of tasks by state and, where there is room, for those that have not
// ended by priority. Done and faulted count all tasks since launch, because a slot is used again once its task
// has ended; the other states count slots.
func (l *Look) DrawCounts(a cells.Area, f *Frame) {
	if a.Empty() {
		return
	}
	if f.Snap == nil {
		l.empty(a, "The first snapshot comes when the kernel has started; a first start compiles it.")
		return
	}
	n, left := countFields(a.W), 1
	if a.W >= countWidth {
		left = countLabel
		a.Text(1, 0, "tasks", theme.Title)
		x := a.Text(1, 1, "of ", theme.Dim)
		a.Fit(x, 1, units.CountWidth, units.AppendCount(l.cell[:0], f.Snap.Submitted+f.Snap.Counters[megakernel.CountSpawned]), false, l.Glyphs.Ellipsis, theme.Strong)
		l.drawPriorities(a.Line(2), f)
	}
	for i, s := range countOrder {
		l.drawStateCount(a.Sub(cells.Rect{X: left + i%n*countField, Y: i / n, W: countField - 1, H: 1}), f, s)
	}
	l.drawUnknown(a, f)
}

func (l *Look) drawPriorities(a cells.Area, f *Frame) {
	a.Text(1, 0, "priority", theme.Title)
	width := priorityField
	if a.W >= waitWidth {
		width = waitField
	}
	for p := range tasks.Priority(tasks.NumPriorities) {
		field := a.Sub(cells.Rect{X: countLabel + int(p)*width, W: width - 1, H: 1})
		n, style := f.SlotCounts.Priorities[p].Live(), theme.PriorityStyle(p)
		if n == 0 {
			style = theme.Dim
		}
		x := field.Text(0, 0, p.String(), style)
		l.drawCount(field, x, uint64(n), theme.Plain)
		if width == waitField {
			l.drawWait(field, x+units.CountWidth+1, f, p)
		}
	}
}

func (l *Look) drawStateCount(a cells.Area, f *Frame, s tasks.State) {
	n := uint64(f.State(s))
	switch s {
	case tasks.Done:
		n = f.Snap.Counters[megakernel.CountDone]
	case tasks.Faulted:
		n = max(n, f.Snap.Counters[megakernel.CountFaulted])
	}
	legend := theme.OfTask(s)
	if n == 0 {
		legend.Style = theme.Dim // color is for what there is
	}
	a.Set(0, 0, legend.Symbol(&l.Glyphs), legend.Style)
	a.Text(2, 0, legend.Word, legend.Style)
	style := theme.Plain
	if s == tasks.Faulted && n > 0 {
		style = theme.Fault
	}
	l.drawCount(a, 11, n, style)
}

func (l *Look) drawCount(a cells.Area, x int, n uint64, s cells.Style) {
	if n == 0 {
		s = theme.Dim
	}
	a.Fit(x, 0, units.CountWidth, units.AppendCount(l.cell[:0], n), true, l.Glyphs.Ellipsis, s)
}

// drawUnknown names slots whose state or priority has no meaning: somebody wrote over them.
func (l *Look) drawUnknown(a cells.Area, f *Frame) {
	n := f.SlotCounts.States[stats.UnknownState] + f.SlotCounts.Priorities[stats.UnknownPriority].Live()
	if n == 0 {
		return
	}
	text := units.Count(uint64(n)) + " slots hold unknown words"
	a.Text(a.W-len(text)-1, 0, text, theme.BadgeWarn)
}

// shownStates are the states in the order of DrawCounts, and then words that are none.
var shownStates = append(slices.Clone(countOrder), stats.UnknownState)
