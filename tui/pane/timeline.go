package pane

import (
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// TimelineSpans are the spans of one column of the timeline that can be chosen: from those with which a screen shows a
// millisecond to those with which it shows a week.
var TimelineSpans = []time.Duration{
	10 * time.Microsecond, 20 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond,
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	DefaultSpan, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour,
}

// DefaultSpan is the span of a column at first.
const DefaultSpan = 100 * time.Millisecond

// Timeline is what to draw of the workers' past, besides the table of workers.
type Timeline struct {
	Lines *history.Lines
	Span  time.Duration // of a column
	End   time.Duration // the right edge; 0: it follows the snapshot
	Whole bool          // all of the run, with as long columns as that takes

	Selected *history.Span // nil: none
	Worker   int           // of it
	Loading  string        // how far a recording has been read, "" when it has been
}

// window is the part of time that is drawn.
type window struct {
	first int64 // number of the first column, from 0 at launch
	n     int   // columns
	span  time.Duration
	until time.Duration // nothing behind it is drawn
}

func (w window) from() time.Duration { return time.Duration(w.first) * w.span }

func (w window) end() time.Duration { return w.from() + time.Duration(w.n)*w.span }

// column is the column of a time, which may be outside.
func (w window) column(t time.Duration) int {
	return int(min(max(int64(t/w.span)-w.first, -1), int64(w.n)))
}

// window is what n columns show while the snapshot on the screen was taken at a time.
func (t *Timeline) window(n int, now time.Duration) window {
	n = min(max(n, 1), maxColumns)
	w, end := window{n: n, span: t.Span, until: now}, now
	if t.Whole {
		from, to := t.Lines.Reach()
		end = max(to, now)
		w.span, w.until = spanFor(from, end, n), end
	} else if t.End > 0 {
		end, w.until = t.End, max(t.End, now)+w.span
	}
	w.first = int64(end/w.span) - int64(n) + 1
	return w
}

// spanFor is the smallest span with which n columns show all of a time.
func spanFor(from, to time.Duration, n int) time.Duration {
	for _, s := range TimelineSpans {
		if int64(to/s)-int64(from/s) < int64(n) {
			return s
		}
	}
	return TimelineSpans[len(TimelineSpans)-1]
}

// Window is the time that a panel of a width shows, and the span of its columns.
func (t *Timeline) Window(width int, f *Frame) (from, to, span time.Duration) {
	w := t.window(width-lineLabel, f.end())
	return w.from(), w.end(), w.span
}

// TimeAt is the time that begins at a column of a panel of a width; false where no time is drawn.
func (t *Timeline) TimeAt(width, x int, f *Frame) (at, span time.Duration, ok bool) {
	w := t.window(width-lineLabel, f.end())
	x -= width - w.n
	return w.from() + time.Duration(x)*w.span, w.span, x >= 0 && x < w.n
}

// lineLabel is the width of the labels left of the time lines.
const lineLabel = 7

// TimelineHead is the rows above the first worker.
const TimelineHead = 2

// DrawTimeline draws a line of time for each worker of the table: what it ran in the color of the opcode, with its name where it fits
// and its letter where not.
func (l *Look) DrawTimeline(a cells.Area, v *Workers, o *Order, s *TableState, t *Timeline) {
	w := t.window(a.W-lineLabel, v.Frame.end())
	rest := l.titled(a, "Timeline", nil, l.timelineNote(v, t, w))
	head, rest := rest.SplitTop(1)
	if t.Selected != nil {
		l.drawSpanText(head, v.Frame, t)
	} else {
		l.drawOpLegend(head, v.Frame, t.Lines)
	}
	body, axis := rest.SplitTop(min(rest.H-1, max(v.Len()-s.Top, 1)))
	if v.Len() == 0 {
		l.empty(body, "No worker has started yet. Each gets a line of time here when the first slice runs.")
		return
	}
	for y := 0; y < body.H && s.Top+y < len(o.Rows); y++ {
		row := int(o.Rows[s.Top+y])
		l.drawTimeLine(body.Line(y), v.Frame, t.Lines, row, w)
		if t.Selected != nil && t.Worker == v.Frame.Workers[row].ID {
			l.drawSelectedSpan(body.Line(y), t.Selected, w)
		}
		if key := v.Key(row); s.HasSelected && key == s.Selected {
			body.Set(0, y, l.Glyphs.Cursor, theme.Strong)
			body.Sub(cells.Rect{Y: y, W: lineLabel, H: 1}).Restyle(selectedStyle)
		}
	}
	l.drawTimeAxis(axis.Sub(cells.Rect{X: axis.W - w.n, W: w.n, H: 1}), w, v.Frame.end())
}

// timelineNote says what the title does: how many workers, how long a column, and what is not as it seems.
func (l *Look) timelineNote(v *Workers, t *Timeline, w window) []byte {
	workers := " workers"
	if v.Len() == 1 {
		workers = " worker"
	}
	note := append(strconv.AppendInt(l.Note(), int64(v.Len()), 10), workers...)
	note = append(units.AppendDuration(append(note, "  "...), w.span), "/column"...)
	switch now := v.Frame.end(); {
	case t.Whole:
		note = append(note, "  whole run"...)
	case t.End > now:
		note = append(units.AppendDuration(append(note, "  ends "...), t.End-now), " ahead"...)
	case t.End > 0:
		note = append(units.AppendDuration(append(note, "  ends "...), now-t.End), " ago"...)
	}
	if t.Loading != "" {
		note = append(append(note, "  "...), t.Loading...)
	}
	if v.Frame.Snap != nil {
		if off := v.Frame.Snap.Logging.Text(); off != "" {
			note = append(append(note, "  log "...), off...)
		}
	}
	if since := t.since(v); since > max(w.from(), 0) && w.span < t.Lines.Cell() {
		note = units.AppendClock(append(note, "  before "...), since)
		note = append(units.AppendDuration(append(note, " only "...), t.Lines.Cell()), " steps"...)
	}
	return note
}

// since is from when on every worker has all of its spans.
func (t *Timeline) since(v *Workers) (out time.Duration) {
	for i := range v.Frame.Workers {
		out = max(out, t.Lines.Since(v.Frame.Workers[i].ID))
	}
	return out
}

// drawSpanText says what the selected span is.
func (l *Look) drawSpanText(a cells.Area, f *Frame, t *Timeline) {
	s := t.Selected
	text := strconv.AppendInt(append(l.Note(), 'w'), int64(t.Worker), 10)
	switch op, running := s.Seen.Op(); {
	case running:
		text = append(append(text, "  "...), f.opText(t.Lines.Ops()[op])...)
		text = appendTask(append(text, "  task "...), s.Task)
		text = strconv.AppendInt(append(text, "  lane "...), int64(s.Lane), 10)
	case s.Seen == history.SeenPaused:
		text = append(text, "  paused"...)
	case s.Seen == history.SeenAbsent:
		text = append(text, "  absent"...)
	}
	text = units.AppendClockTo(append(text, "  "...), s.Begin, 6)
	text = units.AppendSpan(append(text, " +"...), s.End-s.Begin)
	if s.Kind == stats.Activation {
		text = strconv.AppendUint(append(text, "  record "...), s.Number, 10)
	} else {
		text = append(text, "  seen by snapshots"...)
	}
	a.Fit(1, 0, a.W-1, text, false, l.Glyphs.Ellipsis, theme.Strong)
}

// drawSelectedSpan marks the columns of a span.
func (l *Look) drawSelectedSpan(a cells.Area, s *history.Span, w window) {
	first, last := w.column(s.Begin), w.column(max(s.End-1, s.Begin))
	if last < 0 || first >= w.n {
		return
	}
	first, last = max(first, 0), min(last, w.n-1)
	x := a.W - w.n + first
	a.Sub(cells.Rect{X: x, W: last - first + 1, H: 1}).Restyle(func(cells.Style) cells.Style { return theme.Strong | cells.Reverse })
	a.Set(x, 0, l.Glyphs.Cursor, theme.Strong|cells.Reverse)
}

// end is the position of the frame's snapshot.
func (f *Frame) end() time.Duration {
	if f.Snap == nil {
		return 0
	}
	return f.Snap.Taken
}

// StripFrame is the rows of the strip besides the lines of the workers: its title and its axis.
const StripFrame = 2

// DrawStrip draws the whole time lines of the first workers below other panels.
func (l *Look) DrawStrip(a cells.Area, f *Frame, lines *history.Lines) {
	head, body := a.SplitTop(1)
	t := Timeline{Lines: lines, Whole: true}
	w := t.window(a.W-lineLabel, f.end())
	l.rule(head, "timeline", append(units.AppendDuration(l.Note(), w.span), "/column  whole run"...))
	rows := min(body.H-1, len(f.Workers))
	for y := range rows {
		l.drawTimeLine(body.Line(y), f, lines, y, w)
	}
	l.drawTimeAxis(body.Sub(cells.Rect{X: a.W - w.n, Y: rows, W: w.n, H: 1}), w, f.end())
}

// drawTimeLine draws the label and the line of one worker.
func (l *Look) drawTimeLine(a cells.Area, f *Frame, lines *history.Lines, worker int, w window) {
	var scratch [16]byte
	label := strconv.AppendInt(append(scratch[:0], 'w'), int64(f.Workers[worker].ID), 10)
	a.Fit(1, 0, lineLabel-2, label, true, l.Glyphs.Ellipsis, theme.Dim)
	line := a.Sub(cells.Rect{X: a.W - w.n, W: w.n, H: 1})
	l.times = lines.Columns(l.times[:0], worker, w.from(), w.span, w.n, w.until)
	columns := l.times
	for x := 0; x < len(columns); {
		n := 1
		for x+n < len(columns) && columns[x+n].Same(&columns[x]) {
			n++
		}
		l.drawSlice(line.Sub(cells.Rect{X: x, W: n, H: 1}), f, lines, columns[x])
		x += n
	}
}

// drawSlice draws a run of columns in which a worker did the same.
func (l *Look) drawSlice(a cells.Area, f *Frame, lines *history.Lines, c history.Column) {
	op, running := c.Seen.Op()
	switch {
	case running:
		l.drawRun(a, f, lines.Ops()[op], op, c)
	case c.Seen == history.SeenOther:
		a.Fill('?', theme.Plain|cells.Reverse)
	case c.Seen == history.SeenPaused:
		a.Fill(theme.OfWorker(megakernel.WorkerPaused).Symbol(&l.Glyphs), theme.Paused)
	case c.Seen == history.SeenAbsent: // no line: it was not there
	case c.Seen == history.SeenIdle:
		a.Fill(l.Glyphs.Horizontal, theme.Dim)
	case c.Seen == history.SeenUnknown:
		a.Fill(l.Glyphs.Dot, theme.Dim)
	}
}

// drawRun draws a run of an opcode: a block where records tell, dots where snapshots saw it.
func (l *Look) drawRun(a cells.Area, f *Frame, opcode uint32, op int, c history.Column) {
	style, fill := opStyle(op), l.Glyphs.Dot
	if c.Recorded {
		style, fill = style|cells.Reverse, ' '
	}
	a.Fill(fill, style)
	name := f.opText(opcode)
	if len(name)+1 > a.W {
		a.Set(0, 0, opLetter(op), style)
		return
	}
	x := a.Text(0, 0, name, style)
	if id := appendTask(l.Note(), c.Task); c.Number > 0 && x+len(id)+2 <= a.W {
		a.Bytes(x+1, 0, id, style)
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
func (l *Look) drawOpLegend(a cells.Area, f *Frame, lines *history.Lines) {
	x := 1
	for i, op := range lines.Ops() {
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
	}{{l.Glyphs.Horizontal, theme.Dim, "idle"}, {l.Glyphs.Dot, theme.Dim, "not logged"}, {theme.OfWorker(megakernel.WorkerPaused).Symbol(&l.Glyphs), theme.Paused, "paused"}} {
		if x+len(other.word)+2 > a.W {
			break
		}
		a.Set(x, 0, other.glyph, other.style)
		x = a.Text(x+2, 0, other.word, theme.Dim) + 2
	}
}
