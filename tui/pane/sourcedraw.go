package pane

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
	"vyretop/tui/theme"
)

// Sizes of the parts of the source view: beside each other from sourceBeside columns on.
const (
	sourceBeside = 100
	sourceShare  = 60 // percent of the columns, or of the rows
	sourceGutter = 8  // breakpoint, mark of the line, number
	tabWidth     = 4
)

// split divides a place between the source and the state. What one of them does not need is the other's.
func (p *sourcePane) split(a cells.Area) (code, side cells.Area) {
	if p.parts == bothParts && a.W >= sourceBeside {
		w := a.W * sourceShare / 100
		return a.Sub(cells.Rect{W: w, H: a.H}), a.Sub(cells.Rect{X: w + 2, W: a.W - w - 2, H: a.H})
	}
	lines, state := len(p.shot.lines), p.drawState(a.Sub(cells.Rect{W: a.W}))
	switch p.parts {
	case sourceFirst:
		return a.SplitTop(lines)
	case stateFirst:
		side, code = a.SplitTop(state)
		return code, side
	}
	return a.SplitTop(min(max(a.H*sourceShare/100, a.H-state), lines))
}

// Draw implements Pane.
func (p *sourcePane) Draw(a cells.Area) {
	rest := p.Look.DrawHeading(a, Heading{Name: "Source", Note: p.note()})
	if p.shot == nil {
		p.Look.empty(rest, p.hint())
		return
	}
	code, side := p.split(rest)
	p.code = code.Rect
	p.drawSource(code)
	if rows := p.drawState(side); rows > side.H {
		p.markCut(side)
	}
}

// markCut marks the last row of a state that has more rows than there is room for.
func (p *sourcePane) markCut(a cells.Area) {
	last := a.Line(a.H - 1)
	text := strings.TrimRight(last.String(), " ")
	last.Set(min(utf8.RuneCountInString(text)+1, last.W-1), 0, p.Look.Glyphs.Ellipsis, theme.Dim)
}

// note is what stands behind the heading: the task, where it stands and why.
func (p *sourcePane) note() []byte {
	b := p.Look.Note()
	switch {
	case p.cancel != nil && p.Now().Sub(p.began) > slowMove:
		b = append(b, "working "...)
		b = units.AppendDuration(b, p.Now().Sub(p.began))
		return append(b, ", esc stops it"...)
	case p.shot == nil:
		return b
	}
	c, stop := p.run.Capture, p.shot.stop
	b = megakernel.AppendTaskName(append(b, "task "...), c.Task)
	b = append(append(b, ' '), c.Handler...)
	if stop.Pos.Line > 0 {
		b = fmt.Appendf(b, "  %s:%d", shortName(stop.Pos.File), stop.Pos.Line)
	}
	b = append(append(b, "  "...), reasonText(stop)...)
	if p.reverse {
		b = append(b, "  REVERSE"...)
	}
	if p.oldText() {
		b = append(b, "  OLD TEXT"...)
	}
	return b
}

// oldText reports whether the run has other handlers than those that are shown: they were reloaded since the activation ran.
func (p *sourcePane) oldText() bool {
	return p.Live && p.run.Capture.Text.Config.Earlier.Text != p.Target.NewestText()
}

// slowMove is how long a move takes before that is said.
const slowMove = 200 * time.Millisecond

// shortName is the last part of the name of a file.
func shortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// reasonText says why the session stands.
func reasonText(stop debugger.Stop) string {
	switch stop.Reason {
	case debugger.AtBreak:
		return "at a breakpoint" // its number is the pane's own; those of the run are other ones
	case debugger.Ended, debugger.LaneEnded:
		return "activation ended"
	case debugger.Failed:
		return "failed: " + stop.Detail
	}
	return string(stop.Reason)
}

// hint is what to do where no source is shown.
func (p *sourcePane) hint() string {
	switch {
	case p.problem != nil:
		return p.problem.Error()
	case p.spec.Working():
		return "Capturing task " + megakernel.TaskName(p.wanted) + "."
	}
	if p.howTo == "" { // a frame takes no memory
		p.howTo = "No task is open. Select a task in view 3, 4 or 5 and press " + p.KeyOf(keymap.ShowView+string(keymap.Code)) +
			": its handler opens at the first line, and steps forward and back. Enter opens a task that a breakpoint holds or that has faulted."
	}
	return p.howTo
}

// drawSource draws the lines around the cursor.
func (p *sourcePane) drawSource(a cells.Area) {
	if a.H == 0 {
		return
	}
	margin := min(2, a.H/4)
	if p.top == 0 || p.cursor < p.top+margin && p.top > 1 || p.cursor >= p.top+a.H-margin {
		p.top = max(p.cursor-a.H/2, 1)
	}
	p.top = min(p.top, max(len(p.shot.lines)-a.H+1, 1))
	for y := range a.H {
		n := p.top + y
		if n > len(p.shot.lines) {
			return
		}
		p.drawLine(a.Line(y), n)
	}
}

// drawLine draws one line of source.
func (p *sourcePane) drawLine(a cells.Area, n int) {
	if p.shot.breaks[n] {
		a.Set(0, 0, p.Look.Glyphs.Head, theme.Danger)
	}
	number := theme.Dim
	if n == p.shot.stop.Pos.Line {
		a.Text(1, 0, "=>", theme.Accent)
		number = theme.Accent
	}
	a.Fit(3, 0, sourceGutter-4, strconv.AppendInt(p.Look.Note(), int64(n), 10), true, p.Look.Glyphs.Ellipsis, number)
	p.drawHeat(a, n)
	x := 0
	code := a.Sub(cells.Rect{X: sourceGutter, W: a.W - sourceGutter, H: 1})
	for _, t := range p.shot.lines[n-1] {
		x = drawToken(code, x, t)
	}
	if x > code.W {
		code.Set(code.W-1, 0, p.Look.Glyphs.Ellipsis, theme.Dim)
	}
	if n == p.cursor {
		a.Sub(cells.Rect{X: 3, W: sourceGutter - 4, H: 1}).Highlight()
	}
}

// drawToken draws a piece of a line and returns the column behind it.
func drawToken(a cells.Area, x int, t repl.Token) int {
	for _, r := range t.Text {
		if r == '\t' {
			x += tabWidth - x%tabWidth
			continue
		}
		a.Text(x, 0, string(r), tokenStyles[t.Type])
		x++
	}
	return x
}

var tokenStyles = map[chroma.TokenType]cells.Style{
	chroma.Comment: theme.Dim, chroma.CommentPreproc: theme.Warning, chroma.Keyword: theme.Accent, chroma.KeywordType: theme.Graph,
	chroma.NameBuiltin: theme.GraphAlt, chroma.LiteralNumber: theme.Good, chroma.LiteralString: theme.Good,
}

// drawState draws what the session knows where it stands, the most urgent first, and returns how many rows that takes; those that do
// not fit are not drawn.
func (p *sourcePane) drawState(a cells.Area) (rows int) {
	w := &stateWriter{p: p, a: a}
	if p.problem != nil {
		w.wrap(p.problem.Error(), theme.Danger)
	}
	for _, u := range p.shot.undefined {
		w.wrap(fmt.Sprintf("undefined: %s:%d: %s", shortName(u.Pos.File), u.Pos.Line, u.What), theme.Danger)
	}
	for _, line := range p.shot.output {
		w.wrap(line, theme.Plain)
	}
	w.displays()
	if o := p.shot.outcome; o != nil {
		w.outcome(o)
		w.executed()
		return w.y
	}
	opened := p.before == nil
	if opened {
		w.notes()
	}
	w.locals()
	w.stack()
	if !opened { // they were read, and the variables have few rows
		w.notes()
	}
	w.executed()
	w.lanes()
	return w.y
}

// stateWriter draws line below line.
type stateWriter struct {
	p *sourcePane
	a cells.Area
	y int
}

// wrap draws a text, wrapped.
func (w *stateWriter) wrap(text string, s cells.Style) {
	w.y += wrapFrom(w.a, w.y, text, s)
}

// field draws a name and a value on one line.
func (w *stateWriter) field(name, value string, s cells.Style) {
	line := w.a.Line(w.y)
	w.y++
	if n := utf8.RuneCountInString(name); n+1 >= line.W {
		line.Fit(0, 0, line.W, []byte(name+" "+value), false, w.p.Look.Glyphs.Ellipsis, s)
		return
	}
	x := line.Text(0, 0, name, theme.Dim)
	line.Fit(x+1, 0, line.W-x-1, []byte(value), false, w.p.Look.Glyphs.Ellipsis, s)
}

// notes says what may differ from the activation on the device.
func (w *stateWriter) notes() {
	if h := w.p.run.Capture.Held; h != nil {
		w.wrap(h.String(), theme.Strong)
	}
	if w.p.oldText() {
		text := oldText
		if w.p.run.Capture.Held != nil {
			text = "note: " + capture.OldText
		}
		w.wrap(text, theme.Warning)
	}
	for _, note := range w.p.run.Capture.Notes {
		if note != capture.OldText { // said above
			w.wrap("note: "+note, theme.Warning)
		}
	}
}

// oldText is what is said of the text of an activation that has not begun.
const oldText = "note: the handlers were reloaded since: this is the text before. Capture the task again to see the new one"

// displays draws the expressions that the user keeps in sight.
func (w *stateWriter) displays() {
	before := map[string]string{}
	if b := w.p.before; b != nil {
		for i := range b.displays {
			before[b.displays[i].Expr] = b.displays[i].String()
		}
	}
	for i := range w.p.shot.displays {
		d := &w.p.shot.displays[i]
		style := changed(before, d.Expr, d.String())
		if d.Err != nil {
			style = theme.Dim
		}
		w.value(strconv.Itoa(i+1)+": "+d.Expr, d.String(), style)
	}
}

// locals draws the variables in scope; those that the last move changed stand out.
func (w *stateWriter) locals() {
	s, before := w.p.shot, map[string]string{}
	if b := w.p.before; b != nil {
		for i, v := range b.locals {
			before[v.Name] = b.values[i]
		}
	}
	task := -1
	for i, v := range s.locals {
		if v.Name == "t" && strings.HasPrefix(s.values[i], "Task{") {
			task = i
			continue
		}
		w.value(v.Name, s.values[i], changed(before, v.Name, s.values[i]))
	}
	if task >= 0 {
		w.wrap("t = "+taskText(s.values[task]), changed(before, "t", s.values[task]))
	}
}

// longValue is the number of characters from which on a value is cut.
const longValue = 512

// value draws a variable: on one line if it fits, else wrapped.
func (w *stateWriter) value(name, value string, s cells.Style) {
	if len(name)+len(value)+3 <= w.a.W {
		w.field(name+" =", value, s)
		return
	}
	if len(value) > longValue {
		value = value[:longValue] + string(w.p.Look.Glyphs.Ellipsis)
	}
	w.wrap(name+" = "+value, s)
}

// changed is the style of a value that was another one before the last move, or of none.
func changed(before map[string]string, name, value string) cells.Style {
	if old, ok := before[name]; ok && old == value {
		return theme.Plain
	}
	return theme.Changed
}

// taskText is the value of a task without its type and the words that are 0.
func taskText(value string) string {
	var out []string
	for _, field := range strings.Split(strings.TrimSuffix(strings.TrimPrefix(value, "Task{"), "}"), ", ") {
		if !strings.HasSuffix(field, "=0") {
			out = append(out, field)
		}
	}
	return strings.Join(out, " ")
}

// stack draws the open calls of the workload's functions.
func (w *stateWriter) stack() {
	if len(w.p.shot.stack) < 2 {
		return
	}
	for i, f := range w.p.shot.stack {
		if i > 0 && strings.HasPrefix(f.Pos.File, "vyretop/") {
			return
		}
		w.field(fmt.Sprintf("%d %s", i, f.Func), fmt.Sprintf("%s:%d", shortName(f.Pos.File), f.Pos.Line), theme.Plain)
	}
}

// outcome draws what the activation has changed.
func (w *stateWriter) outcome(o *capture.Outcome) {
	w.field("the task is", o.State, theme.Strong)
	for _, x := range o.Slot {
		w.field(x.Name, x.Old+" "+string(w.p.Look.Glyphs.Arrow)+" "+x.New, theme.Plain)
	}
	for _, s := range o.Spawned {
		w.field("spawned", s.String(), theme.Plain)
	}
	for _, c := range o.Buffers {
		w.field("buffer "+c.Buffer, fmt.Sprintf("%s changed, from word %d on", units.Plural(c.Words, "word"), c.First), theme.Plain)
	}
	w.notes()
}
