package pane

import (
	"time"

	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// tickSpans are the distances between two labels of a time axis that can be chosen, each with the decimals of a second that
// tell its labels apart.
var tickSpans = []struct {
	step     time.Duration
	decimals int
}{
	{100 * time.Microsecond, 4}, {200 * time.Microsecond, 4}, {500 * time.Microsecond, 4},
	{time.Millisecond, 3}, {2 * time.Millisecond, 3}, {5 * time.Millisecond, 3},
	{10 * time.Millisecond, 2}, {20 * time.Millisecond, 2}, {50 * time.Millisecond, 2},
	{100 * time.Millisecond, 1}, {200 * time.Millisecond, 1}, {500 * time.Millisecond, 1},
	{time.Second, 1}, {2 * time.Second, 1}, {5 * time.Second, 1}, {10 * time.Second, 1}, {30 * time.Second, 1},
	{time.Minute, 1}, {2 * time.Minute, 1}, {5 * time.Minute, 1}, {10 * time.Minute, 1}, {30 * time.Minute, 1},
	{time.Hour, 1}, {3 * time.Hour, 1}, {12 * time.Hour, 1}, {48 * time.Hour, 1},
}

// tickWidth is the room that a label of a time axis needs, at least, besides its decimals.
const tickWidth = 9

// drawTimeAxis writes the time since launch below the columns of a window, and marks the position of the snapshot on the screen
// where more is drawn than what was before it.
func (l *Look) drawTimeAxis(a cells.Area, w window, now time.Duration) {
	tick := tickSpans[len(tickSpans)-1]
	for _, t := range tickSpans {
		if t.step >= time.Duration(tickWidth+t.decimals)*w.span {
			tick = t
			break
		}
	}
	var b [24]byte
	for at := max((w.from()+tick.step-1)/tick.step, 0) * tick.step; at < w.end(); at += tick.step {
		x := w.column(at)
		if label := units.AppendClockTo(append(b[:0], '|'), at, tick.decimals); x >= 0 && x+len(label) <= a.W {
			a.Bytes(x, 0, label, theme.Dim)
		}
	}
	if x := w.column(now); x >= 0 && x < w.n-1 {
		a.Set(x, 0, l.Glyphs.Head, theme.Strong)
	}
}
