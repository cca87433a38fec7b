// Package progress owns what a run says on one line of a terminal, and erases: what it prepares before there is a
// dashboard, and the progress bar of a headless run.
package progress

import (
	"fmt"
	"io"
	"strings"
	"time"

	"vyretop/engine/units"
)

// Interval is the time between two drawings.
const Interval = 100 * time.Millisecond

// Source tells how far the work is; total is 0 while it is not known.
type Source func() (done, total int64, unit string)

// Show draws the bar until ended is closed and then erases it. Width gives the columns of the
// terminal at the time of a drawing.
func Show(ended <-chan struct{}, w io.Writer, width func() int, from Source) {
	ticker := time.NewTicker(Interval)
	defer ticker.Stop()
	show(ended, w, width, from, ticker.C, time.Now)
}

const eraseLine = "\r\x1b[K"

func show(ended <-chan struct{}, w io.Writer, width func() int, from Source, ticks <-chan time.Time, now func() time.Time) {
	began := now()
	for {
		select {
		case <-ended:
			io.WriteString(w, eraseLine)
			return
		case <-ticks:
			done, total, unit := from()
			io.WriteString(w, eraseLine+Line(width(), done, total, unit, now().Sub(began)))
		}
	}
}

// barCells is the width of the bar itself.
const barCells = 24

// Line renders one state of the work in at most width columns, without a newline. Parts that do
// not fit are left out from the right.
func Line(width int, done, total int64, unit string, elapsed time.Duration) string {
	line := ""
	for _, part := range parts(done, total, unit, elapsed) {
		if len([]rune(line))+len([]rune(part)) >= width {
			break
		}
		line += part
	}
	return line
}

func parts(done, total int64, unit string, elapsed time.Duration) []string {
	amount := fmt.Sprintf("%s %s", units.Count(uint64(done)), unit)
	var out []string
	if total > 0 {
		share := min(float64(done)/float64(total), 1)
		full := int(share * barCells)
		out = append(out, fmt.Sprintf("%3.0f %% ", share*100), "["+strings.Repeat("#", full)+strings.Repeat("-", barCells-full)+"] ")
		amount = fmt.Sprintf("%s of %s %s", units.Count(uint64(done)), units.Count(uint64(total)), unit)
	}
	out = append(out, amount)
	if s := elapsed.Seconds(); s > 0 {
		out = append(out, fmt.Sprintf(", %s %s/s", units.Count(uint64(float64(done)/s)), unit), fmt.Sprintf(", %s", elapsed.Round(100*time.Millisecond)))
	}
	return out
}
