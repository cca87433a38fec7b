package view

import (
	"strconv"
	"time"

	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// Columns of a chart's row that are not graph: name and value at the left, scale at the right.
const (
	chartLeft  = 15
	chartRight = 11
)

// DrawCharts draws the two charts of the recent past, one above the other: tasks ended per second
// and tasks waiting. They end at the frame's snapshot.
func (l *Look) DrawCharts(a cells.Area, f *Frame, h *history.History) {
	rows := a.H / 2
	n := a.W - chartLeft - chartRight
	if f.Snap == nil || rows == 0 || n <= 0 {
		return
	}
	bucket := history.BucketFor(f.Snap.Taken, n)
	upper, lower := a.SplitTop(rows)
	values := make([]float64, 0, n)
	c := chart{name: "tasks/s", value: rateText(f), style: theme.Graph, span: time.Duration(n) * bucket}
	l.drawChart(upper, &c, h.TaskRate(values, f.Snap.Taken, bucket, n))
	c.name, c.value, c.style = "queued", units.Count(uint64(f.Queued)), theme.GraphAlt
	l.drawChart(lower, &c, h.Queued(values, f.Snap.Taken, bucket, n))
}

type chart struct {
	name, value string
	style       cells.Style
	span        time.Duration
}

func (l *Look) drawChart(a cells.Area, c *chart, values []float64) {
	top := history.Top(values)
	a.Text(1, 0, c.name, theme.Dim)
	a.Fit(9, 0, units.CountWidth, []byte(c.value), true, l.Glyphs.Ellipsis, theme.Strong)
	a.Sub(cells.Rect{X: chartLeft, W: a.W - chartLeft - chartRight, H: a.H}).Columns(values, top, l.Glyphs.Columns, c.style)
	scale := a.Sub(cells.Rect{X: a.W - chartRight + 1, W: chartRight - 1, H: a.H})
	scale.Text(0, 0, units.Count(uint64(top)), theme.Dim)
	scale.Fit(5, a.H-1, 4, append(strconv.AppendInt(nil, int64(c.span/time.Second), 10), 's'), true, l.Glyphs.Ellipsis, theme.Dim)
}
