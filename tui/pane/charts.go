package pane

import (
	"time"

	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// chart is a series of the recent past.
type chart struct {
	name   string
	value  [8]byte
	n      int // bytes of the value
	style  cells.Style
	series func(h *history.History, dst []float64, end, bucket time.Duration, n int) []float64
}

// wideCharts is the width from which two charts stand side by side, each with axes.
const wideCharts = 100

// DrawCharts draws two charts of the recent past: tasks ended per second and tasks waiting. They end
// at the frame's snapshot.
func (l *Look) DrawCharts(a cells.Area, f *Frame, h *history.History) {
	if f.Snap == nil || a.Empty() {
		return
	}
	rate := chart{name: "tasks/s", style: theme.Graph, series: (*history.History).TaskRate}
	rate.n = len(appendRate(rate.value[:0], f, f.Stats.TasksPerSecond))
	queued := chart{name: "queued", style: theme.GraphAlt, series: (*history.History).Queued}
	queued.n = len(units.AppendCount(queued.value[:0], uint64(f.Queued)))
	if a.H >= 4 && a.W >= wideCharts {
		half := a.W / 2
		l.drawGraph(a.Sub(cells.Rect{W: half - 1, H: a.H}), f, h, &rate)
		l.drawGraph(a.Sub(cells.Rect{X: half + 1, W: a.W - half - 1, H: a.H}), f, h, &queued)
		return
	}
	rows := a.H / 2
	upper, lower := a.SplitTop(rows)
	l.drawSpark(upper, f, h, &rate)
	l.drawSpark(lower, f, h, &queued)
}

// maxColumns bounds the values of a chart: two for each column of the widest screen that is drawn
// to its edge.
const maxColumns = 1024

// values are the n newest values of a chart, the width of a bucket and a round top.
func (c *chart) values(f *Frame, h *history.History, buffer *[maxColumns]float64, n int) (values []float64, span time.Duration, top float64) {
	n = min(n, maxColumns)
	bucket := history.BucketFor(f.Snap.Taken, n)
	values = c.series(h, buffer[:0], f.Snap.Taken, bucket, n)
	return values, time.Duration(n) * bucket, history.Top(values)
}

// Columns of a one-row chart that are not graph: name and value at the left, scale at the right.
const (
	sparkLeft  = 15
	sparkRight = 15
)

// drawSpark draws a chart without axes: its scale is written behind it.
func (l *Look) drawSpark(a cells.Area, f *Frame, h *history.History, c *chart) {
	n := a.W - sparkLeft - sparkRight
	if n <= 0 || a.H == 0 {
		return
	}
	var b [16]byte
	values, span, top := c.values(f, h, &l.values, n)
	a.Text(1, 0, c.name, theme.Dim)
	a.Fit(9, 0, units.CountWidth, c.value[:c.n], true, l.Glyphs.Ellipsis, theme.Strong)
	a.Sub(cells.Rect{X: sparkLeft, W: n, H: a.H}).Columns(values, top, l.Glyphs.Columns, c.style)
	scale := a.Sub(cells.Rect{X: a.W - sparkRight + 1, W: sparkRight - 1, H: 1})
	x := scale.Text(0, 0, "max ", theme.Dim)
	scale.Bytes(x, 0, units.AppendCount(b[:0], uint64(top)), theme.Dim)
	scale.Fit(scale.W-4, 0, 4, units.AppendSeconds(b[:0], span), true, l.Glyphs.Ellipsis, theme.Dim)
}

// Columns of a graph that are its axis, and those of its name and value below.
const (
	axisWidth = 7
	nameWidth = 15
)

// drawGraph draws a chart over axes: values at the left, time below.
func (l *Look) drawGraph(a cells.Area, f *Frame, h *history.History, c *chart) {
	var b [16]byte
	graph := a.Sub(cells.Rect{X: axisWidth, W: a.W - axisWidth, H: a.H - 1})
	per := 1
	if l.Glyphs.Unicode {
		per = 2 // values a column of braille shows
	}
	values, span, top := c.values(f, h, &l.values, per*graph.W)
	if per == 2 {
		graph.Braille(values, top, c.style)
	} else {
		graph.Columns(values, top, l.Glyphs.Columns, c.style)
	}
	for y := range graph.H {
		a.Set(axisWidth-1, y, l.Glyphs.Vertical, theme.Dim)
	}
	a.Fit(0, 0, axisWidth-1, units.AppendCount(b[:0], uint64(top)), true, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(0, graph.H-1, axisWidth-1, []byte{'0'}, true, l.Glyphs.Ellipsis, theme.Dim)
	axis := a.Line(a.H - 1)
	axis.Text(1, 0, c.name, theme.Dim)
	axis.Fit(9, 0, units.CountWidth, c.value[:c.n], true, l.Glyphs.Ellipsis, theme.Strong)
	line := axis.Sub(cells.Rect{X: nameWidth, W: axis.W - nameWidth, H: 1})
	line.Fill(l.Glyphs.Horizontal, theme.Dim)
	line.Bytes(1, 0, units.AppendSeconds(append(b[:0], " -"...), span), theme.Dim)
	line.Text(line.W-5, 0, " now ", theme.Dim)
}
