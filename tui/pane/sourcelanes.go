package pane

import (
	"fmt"
	"strconv"

	"vyretop/engine/debugger"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// lanes draws the values that differ from lane to lane, of a task that all lanes of a worker run; the values of the others stand
// among the variables. A lane that takes no part in the next instruction is dimmed.
func (w *stateWriter) lanes() {
	t := &w.p.shot.lanes
	if len(t.Lanes) < 2 {
		return
	}
	active := 0
	for _, on := range t.Active {
		if on {
			active++
		}
	}
	w.field("lanes", fmt.Sprintf("%d of %d active", active, len(t.Active)), theme.Strong)
	var columns []debugger.Column
	for _, c := range t.Columns {
		if !c.Uniform() {
			columns = append(columns, c)
		}
	}
	if len(columns) == 0 {
		w.field("all variables are", "the same in all lanes", theme.Plain)
		return
	}
	w.laneRow("lane", theme.Dim, columns, func(c *debugger.Column) string { return c.Expr })
	for i, lane := range t.Lanes {
		style := theme.Plain
		if !t.Active[lane] {
			style = theme.Dim
		}
		w.laneRow(strconv.Itoa(lane), style, columns, func(c *debugger.Column) string { return c.Values[i] })
	}
}

// laneRow draws a row of the table of lanes; a mark stands in place of columns that do not fit.
func (w *stateWriter) laneRow(lane string, s cells.Style, columns []debugger.Column, of func(*debugger.Column) string) {
	line := w.a.Line(w.y)
	w.y++
	line.Fit(0, 0, laneWidth, []byte(lane), true, w.p.Look.Glyphs.Ellipsis, s)
	x := laneWidth
	for i := range columns {
		width := len(columns[i].Expr)
		for _, v := range columns[i].Values {
			width = max(width, len(v))
		}
		if width = min(width, widestLane); x+1+width > line.W {
			line.Set(min(x+1, line.W-1), 0, w.p.Look.Glyphs.Ellipsis, theme.Dim)
			return
		}
		line.Fit(x+1, 0, width, []byte(of(&columns[i])), true, w.p.Look.Glyphs.Ellipsis, s)
		x += 1 + width
	}
}

// Columns of the table of lanes.
const (
	laneWidth  = 4
	widestLane = 24
)
