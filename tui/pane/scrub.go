package pane

import (
	"time"

	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// Span is the time that can be moved through: that of a recording, or of what is kept of a live target.
type Span struct {
	Start, At, End time.Duration
	Live           bool
	Over           bool // the live target has ended or is lost: the end is its last snapshot
	Dropped        bool // the target is older than what is kept
	Marks          []time.Duration
}

// past reports whether an earlier time than the end of a live target is looked at.
func (s *Span) past() bool { return s.Live && s.At < s.End }

// appendEnd writes what stands at the right end of the bar: the end of a recording, or of a live target how
// far back the bar goes, and of how much.
func (s *Span) appendEnd(dst []byte) []byte {
	if !s.Live {
		return units.AppendClock(dst, s.End)
	}
	dst = units.AppendSeconds(append(dst, "kept "...), s.End-s.Start)
	if s.Dropped {
		dst = units.AppendSeconds(append(dst, " of "...), s.End)
	}
	if s.past() {
		return append(dst, " past"...)
	}
	if s.Over {
		return append(dst, " last"...)
	}
	return append(dst, " live"...)
}

// scrubBar is the place of the bar inside the row of DrawScrub, between the two texts.
func scrubBar(width int, s *Span) cells.Rect {
	var b [64]byte
	at, end := len(units.AppendClock(b[:0], s.At)), len(s.appendEnd(b[:0]))
	return cells.Rect{X: at + 2, W: width - at - end - 4, H: 1}
}

// column is where a position is on a bar of that many columns.
func (s *Span) column(at time.Duration, width int) int {
	if s.End <= s.Start {
		return 0
	}
	return int((min(max(at, s.Start), s.End) - s.Start) * time.Duration(width-1) / (s.End - s.Start))
}

// ScrubTime is the position that column x of the screen stands for, when the bar is drawn in row.
func ScrubTime(row cells.Rect, s Span, x int) time.Duration {
	bar := scrubBar(row.W, &s)
	if bar.W < 2 {
		return s.At
	}
	part := min(max(x-row.X-bar.X, 0), bar.W-1)
	return s.Start + (s.End-s.Start)*time.Duration(part)/time.Duration(bar.W-1)
}

// DrawScrub draws where in time the screen is: the position, a bar from the start to the end with the part
// before the position, and the end.
func (l *Look) DrawScrub(a cells.Area, s Span) {
	if a.Empty() {
		return
	}
	var b [64]byte
	a.Bytes(1, 0, units.AppendClock(b[:0], s.At), theme.Strong)
	style := theme.Dim
	if s.past() {
		style = theme.Warning
	}
	end := s.appendEnd(b[:0])
	a.Bytes(a.W-len(end)-1, 0, end, style)
	bar := a.Sub(scrubBar(a.W, &s))
	if bar.Empty() {
		return
	}
	bar.Fill(l.Glyphs.Horizontal, theme.Dim)
	head := s.column(s.At, bar.W)
	bar.Sub(cells.Rect{W: head, H: 1}).Fill(l.Glyphs.Played, theme.Graph)
	for _, at := range s.Marks {
		if at >= s.Start && at <= s.End {
			bar.Set(s.column(at, bar.W), 0, l.Glyphs.Vertical, theme.Warning)
		}
	}
	bar.Set(head, 0, l.Glyphs.Head, theme.Strong)
}
