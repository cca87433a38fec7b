package fleet

import (
	"strconv"

	"vyretop/engine/units"
	"vyretop/megakernel/targets"
	"vyretop/tui/cells"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// groupColumns are the columns of the table of groups.
var groupColumns = []pane.Column{
	{ID: "key", Title: "GROUP", Width: 16, Grow: true},
	{ID: "targets", Title: "TARGETS", Width: 7, Right: true},
	{ID: "live", Title: "LIVE", Width: 6, Right: true},
	{ID: "stalled", Title: "STALLED", Width: 7, Right: true},
	{ID: "tasks_per_s", Title: "TASKS/S", Width: 8, Right: true},
	{ID: "done", Title: "TASKS", Width: 8, Right: true},
	{ID: "faulted", Title: "FAULT", Width: 6, Right: true},
	{ID: "queue_depth", Title: "QUEUE", Width: 7, Right: true},
}

// groupRows are groups as a table.
type groupRows struct{ list []targets.Group }

// Columns implements pane.Rows.
func (g *groupRows) Columns() []pane.Column { return groupColumns }

// Len implements pane.Rows.
func (g *groupRows) Len() int { return len(g.list) }

// Key implements pane.Rows: the order of the groups is that of their keys, which changes with them only.
func (g *groupRows) Key(row int) uint64 { return uint64(row) }

// Number implements pane.Rows.
func (g *groupRows) Number(row, column int) uint64 {
	x := &g.list[row]
	return [...]uint64{uint64(row), uint64(x.Targets), uint64(x.Live), uint64(x.Stalled), x.TasksPerS, x.Done, x.Faulted, x.Depth}[column]
}

// Append implements pane.Rows.
func (g *groupRows) Append(dst []byte, row, column int) ([]byte, pane.Cell) {
	x := &g.list[row]
	style := cells.Style(theme.Plain)
	if (column == 3 && x.Stalled > 0) || (column == 6 && x.Faulted > 0) {
		style = theme.Danger
	}
	switch column {
	case 0:
		if x.Key == "" {
			return append(dst, '-'), pane.Cell{Style: theme.Dim}
		}
		return append(dst, x.Key...), pane.Cell{}
	case 1, 2, 3:
		return strconv.AppendUint(dst, g.Number(row, column), 10), pane.Cell{Style: style}
	}
	return units.AppendCount(dst, g.Number(row, column)), pane.Cell{Style: style}
}
