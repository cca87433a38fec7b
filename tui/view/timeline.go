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

// TimelineSpans are the spans of one column of the time lines that can be chosen.
var TimelineSpans = []time.Duration{
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second,
}

// Timeline is the time lines of the workers: what to draw besides the table of workers.
type Timeline struct {
	Span time.Duration // of a column
	Back time.Duration // how long before the newest snapshot the right edge is
}

// lineLabel is the width of the labels left of the time lines.
const lineLabel = 7

// TimelineHead is the rows above the first worker.
const TimelineHead = 2

// DrawTimeline draws a line of time per worker of the table: slices in the colour of the opcode it
// ran, with its name where it fits and its letter where not.
func (l *Look) DrawTimeline(a cells.Area, v *Workers, o *Order, s *TableState, t Timeline, h *history.History) {
	end := v.Frame.end() - t.Back
	workers := " workers"
	if v.Len() == 1 {
		workers = " worker"
	}
	note := append(strconv.AppendInt(l.Note(), int64(v.Len()), 10), workers...)
	note = append(note, "  a column is "...)
	note = units.AppendDuration(note, t.Span)
	if t.Back > 0 {
		note = append(units.AppendDuration(append(note, "  ends "...), t.Back), " ago"...)
	}
	rest := l.titled(a, "Timeline", nil, note)
	legend, rest := rest.SplitTop(1)
	l.drawOpLegend(legend, v.Frame, h)
	body, axis := rest.SplitTop(min(rest.H-1, max(v.Len()-s.Top, 1)))
	if v.Len() == 0 {
		l.empty(body, "No worker has started yet. Each gets a line of time here when the first slice runs.")
		return
	}
	for y := 0; y < body.H && s.Top+y < len(o.Rows); y++ {
		row := int(o.Rows[s.Top+y])
		l.drawTimeLine(body.Line(y), v.Frame, h, row, end, t.Span)
		if key := v.Key(row); s.HasSelected && key == s.Selected {
			body.Set(0, y, l.Glyphs.Cursor, theme.Strong)
			body.Sub(cells.Rect{Y: y, W: lineLabel, H: 1}).Restyle(selectedStyle)
		}
	}
	drawTimeAxis(axis.Sub(cells.Rect{X: lineLabel, W: axis.W - lineLabel, H: 1}), end, t.Span)
}

// end is the moment of the frame's snapshot.
func (f *Frame) end() time.Duration {
	if f.Snap == nil {
		return 0
	}
	return f.Snap.Taken
}

// StripFrame is the rows of the strip besides the lines of the workers: its title and its axis.
const StripFrame = 2

// DrawStrip draws the time lines of the first workers below other panels.
func (l *Look) DrawStrip(a cells.Area, f *Frame, h *history.History) {
	head, body := a.SplitTop(1)
	n := a.W - lineLabel
	span := spanFor(f.end(), n)
	l.rule(head, "timeline", append(units.AppendDuration(l.Note(), time.Duration(n)*span), " to now"...))
	rows := min(body.H-1, len(f.Workers))
	for y := range rows {
		l.drawTimeLine(body.Line(y), f, h, y, f.end(), span)
	}
	drawTimeAxis(body.Sub(cells.Rect{X: lineLabel, Y: rows, W: n, H: 1}), f.end(), span)
}

// spanFor is the smallest span with which n columns show everything since the launch.
func spanFor(end time.Duration, n int) time.Duration {
	for _, s := range TimelineSpans {
		if time.Duration(n)*s >= end {
			return s
		}
	}
	return TimelineSpans[len(TimelineSpans)-1]
}

// drawTimeLine draws the label and the slices of one worker.
func (l *Look) drawTimeLine(a cells.Area, f *Frame, h *history.History, worker int, end, span time.Duration) {
	var scratch [16]byte
	label := strconv.AppendInt(append(scratch[:0], 'w'), int64(f.Workers[worker].ID), 10)
	a.Fit(1, 0, lineLabel-2, label, true, l.Glyphs.Ellipsis, theme.Dim)
	line := a.Sub(cells.Rect{X: lineLabel, W: a.W - lineLabel, H: 1})
	var seenBuffer [512]history.Seen
	seen := h.Timeline(seenBuffer[:0], worker, end, span, min(line.W, len(seenBuffer)))
	for x := 0; x < len(seen); {
		n := 1
		for x+n < len(seen) && seen[x+n] == seen[x] {
			n++
		}
		l.drawSlice(line.Sub(cells.Rect{X: line.W - len(seen) + x, W: n, H: 1}), f, h, seen[x])
		x += n
	}
}

// drawSlice draws a run of columns in which a worker did the same.
func (l *Look) drawSlice(a cells.Area, f *Frame, h *history.History, s history.Seen) {
	op, running := s.Op()
	switch {
	case running:
		style := opStyle(op) | cells.Reverse
		a.Fill(' ', style)
		if name := f.opText(h.Ops()[op]); len(name)+1 <= a.W {
			a.Text(0, 0, name, style)
		} else {
			a.Set(0, 0, opLetter(op), style)
		}
	case s == history.SeenOther:
		a.Fill('?', theme.Plain|cells.Reverse)
	case s == history.SeenPaused:
		a.Fill(theme.OfWorker(megakernel.WorkerPaused).Symbol(&l.Glyphs), theme.Paused)
	case s == history.SeenIdle:
		a.Fill(l.Glyphs.Horizontal, theme.Dim)
	}
}

// opText is appendOpcode as a string, which a name is already.
func (f *Frame) opText(op uint32) string {
	if name := f.OpcodeName(op); name != "" {
		return name
	}
	return string(f.appendOpcode(nil, op))
}

// opStyles are the hues that opcodes go through; the letter tells those apart that share one.
var opStyles = [...]cells.Style{theme.Running, theme.Ready, theme.Yielded, theme.Waiting}

func opStyle(i int) cells.Style { return opStyles[i%len(opStyles)] }

func opLetter(i int) rune { return rune('a' + i%26) }

// drawOpLegend names the opcodes by their letters, and what the other lines mean.
func (l *Look) drawOpLegend(a cells.Area, f *Frame, h *history.History) {
	x := 1
	for i, op := range h.Ops() {
		name := f.opText(op)
		if x+len(name)+4 > a.W {
			break
		}
		a.Set(x, 0, opLetter(i), opStyle(i)|cells.Reverse)
		x = a.Text(x+2, 0, name, theme.Plain) + 2
	}
	for _, other := range []struct {
		glyph rune
		style cells.Style
		word  string
	}{{l.Glyphs.Horizontal, theme.Dim, "idle"}, {theme.OfWorker(megakernel.WorkerPaused).Symbol(&l.Glyphs), theme.Paused, "paused"}} {
		if x+len(other.word)+2 > a.W {
			break
		}
		a.Set(x, 0, other.glyph, other.style)
		x = a.Text(x+2, 0, other.word, theme.Dim) + 2
	}
}

// tickSpans are the distances between two labels of a time axis that can be chosen.
var tickSpans = []time.Duration{
	500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute,
}

// tickWidth is the room that a label of a time axis needs.
const tickWidth = 10

// drawTimeAxis writes the time since launch below columns of span each that end at end.
func drawTimeAxis(a cells.Area, end, span time.Duration) {
	step := tickSpans[len(tickSpans)-1]
	for _, t := range tickSpans {
		if t >= tickWidth*span {
			step = t
			break
		}
	}
	var b [16]byte
	last := int64(end / span)
	first := last - int64(a.W) + 1
	for at := max(time.Duration(first)*span/step, 0) * step; ; at += step {
		x := int(int64(at/span) - first)
		if x >= a.W {
			return
		}
		if label := units.AppendClock(append(b[:0], '|'), at); x >= 0 && x+len(label) <= a.W {
			a.Bytes(x, 0, label, theme.Dim)
		}
	}
}
