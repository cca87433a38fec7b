package pane

import (
	"fmt"

	"vyretop/engine/debugger"
	"vyretop/engine/units"
	"vyretop/tui/cells"
	"vyretop/tui/theme"
)

// executed is what the lines of the file on the screen have executed so far.
type executed struct {
	lines map[int]debugger.Executed
	of    int // lanes of the workgroup
}

// fewSteps is how many steps say nothing of where the time goes yet.
const fewSteps = 1000

// count counts what has been executed; a count that was interrupted, or of few steps, shows nothing.
func (x *sourceRun) count(file string) (e executed) {
	lines, of, err := debugger.ExecutedLines(x.Session, file)
	steps := uint64(0)
	for _, l := range lines {
		steps += l.Steps
	}
	if err != nil || steps < fewSteps {
		return e
	}
	return executed{lines, of}
}

// Shares from which on a line is marked as hot, and more so.
var hotShares = [...]float64{1.0 / 16, 1.0 / 8, 1.0 / 4}

// drawHeat marks a line that takes a large part of the steps.
func (p *sourcePane) drawHeat(a cells.Area, n int) {
	heat, share := 0, p.shot.executed.lines[n].Share
	for heat < len(hotShares) && share >= hotShares[heat] {
		heat++
	}
	if heat == 0 {
		return
	}
	style := theme.Warning
	if heat == len(hotShares) {
		style = theme.Danger
	}
	a.Set(sourceGutter-1, 0, p.Look.Glyphs.Shades()[heat+1], style)
}

// executed draws what the line at the cursor has executed.
func (w *stateWriter) executed() {
	e := &w.p.shot.executed
	x, ok := e.lines[w.p.cursor]
	if !ok {
		return
	}
	text := fmt.Sprintf("%s steps, %.1f %%", units.Count(x.Steps), 100*x.Share)
	if w.p.run.Capture.Together() {
		text += fmt.Sprintf(", %.1f of %d lanes", x.Lanes, e.of)
	}
	w.field(fmt.Sprintf("line %d", w.p.cursor), text, theme.Plain)
}
