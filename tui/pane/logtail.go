package pane

import (
	"sort"
	"strconv"

	"vyretop/megakernel"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Tail is where the log below a panel is: at its end, or with a record as its last one.
type Tail struct {
	held bool
	last uint64 // number of the last record
}

// upTo is how many of the records are shown or above what is shown.
func (t Tail) upTo(f *Frame) int {
	if !t.held {
		return len(f.Log)
	}
	return sort.Search(len(f.Log), func(i int) bool { return f.Log[i].Number > t.last })
}

// ScrollTail moves the tail of the log by some of its records, of which that many are shown; at the end it follows.
func (f *Frame) ScrollTail(t Tail, by, rows int) Tail {
	to := max(t.upTo(f)+by, min(rows, len(f.Log)))
	if to >= len(f.Log) {
		return Tail{}
	}
	return Tail{true, f.Log[to-1].Number}
}

// DrawLogTail draws the records of the tail below another panel.
func (l *Look) DrawLogTail(a cells.Area, f *Frame, t Tail) {
	head, body := a.SplitTop(1)
	note := appendLogAccount(l.Note(), f)
	end := t.upTo(f)
	if t.held {
		note = append(strconv.AppendInt(append(note, "  "...), int64(len(f.Log)-end), 10), " below"...)
	}
	l.rule(head, "log", note)
	if len(f.Log) == 0 {
		l.empty(body, logHint(f))
		return
	}
	if l.Wrap {
		l.wrapLogTail(body, f, f.Log[:end])
		return
	}
	newest := f.Log[max(end-body.H, 0):end]
	for y := range newest {
		l.drawRecord(body.Line(y), f, &newest[y])
	}
}

// wrapLogTail draws as many of the last records as there is room for with their messages in full, the newest one
// last.
func (l *Look) wrapLogTail(a cells.Area, f *Frame, records []megakernel.LogRecord) {
	first, used := len(records), 0
	for ; first > 0 && used < a.H; first-- {
		used += l.recordLines(f, &records[first-1], a.W)
	}
	y := min(a.H-used, 0) // the first one may have lost its beginning
	for i := range records[first:] {
		r := &records[first+i]
		n := l.recordLines(f, r, a.W)
		l.drawRecord(a.Sub(cells.Rect{Y: max(y, 0), W: a.W, H: n + min(y, 0)}), f, r)
		y += n
	}
}

// messageAt is the column in which the messages of the log's tail begin.
const messageAt = 29

func (l *Look) recordLines(f *Frame, r *megakernel.LogRecord, width int) int {
	return max(len(Lines(string(r.AppendText(l.cell[:0], f.Target.Formats)), width-messageAt)), 1)
}

// drawRecord draws a record: worker, task, operation, message; that in as many lines as the area has.
func (l *Look) drawRecord(a cells.Area, f *Frame, r *megakernel.LogRecord) {
	var scratch [24]byte
	var message [128]byte
	a.Fit(1, 0, 5, strconv.AppendUint(append(scratch[:0], 'w'), uint64(r.Worker), 10), false, l.Glyphs.Ellipsis, theme.Dim)
	a.Fit(7, 0, 9, appendTask(append(scratch[:0], '#'), r.Task), true, l.Glyphs.Ellipsis, theme.Plain)
	a.Fit(18, 0, 10, f.appendOpcode(scratch[:0], r.Opcode), false, l.Glyphs.Ellipsis, theme.Dim)
	text := r.AppendText(message[:0], f.Target.Formats)
	if l.Wrap {
		Wrap(a.Sub(cells.Rect{X: messageAt, W: a.W - messageAt, H: a.H}), string(text), recordStyle(r))
		return
	}
	a.Fit(messageAt, 0, a.W-messageAt, text, false, l.Glyphs.Ellipsis, recordStyle(r))
}
