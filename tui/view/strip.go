package view

import (
	"strconv"
	"time"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
	"vyretop/tui/units"
)

// stripLabel is the width of the labels left of the time lines.
const stripLabel = 6

// DrawStrip draws a line of time per worker: the state it was in, the newest moment at the right.
func (l *Look) DrawStrip(a cells.Area, f *Frame, h *history.History) {
	n := a.W - stripLabel - 1
	span := time.Duration(n) * history.TimelineBucket
	head, body := a.SplitTop(1)
	l.rule(head, "worker time lines", units.Duration(span)+" to now")
	rows := min(body.H, len(f.Workers), history.TimelineWorkers)
	var seen []history.Seen
	for y := range rows {
		line := body.Line(y)
		line.Fit(0, 0, stripLabel-1, strconv.AppendInt(nil, int64(f.Workers[y].ID), 10), true, l.Glyphs.Ellipsis, theme.Dim)
		seen = h.Timeline(seen[:0], y, f.Snap.Taken, n)
		for x, s := range seen {
			l.drawSeen(line, stripLabel+x, s)
		}
	}
}

// drawSeen draws one moment of a worker: the glyph of its state, a thin line while it was idle.
func (l *Look) drawSeen(a cells.Area, x int, s history.Seen) {
	if !s.Known || s.State == megakernel.WorkerAbsent {
		return
	}
	legend := theme.OfWorker(s.State)
	glyph := legend.Symbol(&l.Glyphs)
	switch s.State {
	case megakernel.WorkerIdle:
		glyph = l.Glyphs.Horizontal
	case megakernel.WorkerRunning:
		glyph = l.Glyphs.Bar[len(l.Glyphs.Bar)-1]
	}
	a.Set(x, 0, glyph, legend.Style)
}
