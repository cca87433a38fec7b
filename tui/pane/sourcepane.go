package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
)

// The actions of the source view.
const (
	lineOver   = "line-over"
	lineBack   = "line-back"
	lineInto   = "line-into"
	lineOut    = "line-out"
	lineRun    = "line-run"
	lineRev    = "line-reverse"
	lineTo     = "line-to"
	lineBreak  = "line-break"
	lineHold   = "line-hold"
	lineType   = "line-command"
	lineReopen = "line-reopen"
	lineShow   = "line-display"
	lineWhatIf = "line-what-if"
)

func sourceKey(id, short, help string, keys ...string) keymap.OwnKey {
	return keymap.OwnKey{Binding: keymap.Binding{ID: id, Keys: keys, Source: keymap.Any, Section: keymap.DebugSection, Short: short, Help: help}}
}

var sourceView = Kind{
	Spec: keymap.Spec{
		View: keymap.Code, Short: "src", Digit: "D", Traits: keymap.HasModes | keymap.OwnEnter | keymap.OwnMoves,
		Keys: []keymap.OwnKey{
			{After: keymap.ContinueAll, Binding: keymap.Binding{
				ID: lineOver, Keys: []string{"n"}, Source: keymap.Any, Section: keymap.DebugSection, Short: "next", Help: "step over calls to another line",
			}},
			sourceKey(lineInto, "step", "step to another line, into calls too", "s"),
			sourceKey(lineOut, "out", "run until the function returns", "o"),
			sourceKey(lineRun, "continue", "run to a breakpoint, or to the end of the activation", "c"),
			sourceKey(lineRev, "reverse", "the next move runs backward", "r"),
			sourceKey(lineBack, "", "step back over calls to another line", "N"),
			sourceKey(lineTo, "to line", "run to the line at the cursor", "enter", "e"),
			sourceKey(lineBreak, "break", "set or remove a breakpoint at the cursor", "b"),
			{Binding: keymap.Binding{
				ID: lineHold, Keys: []string{"K"}, Source: keymap.Live, Writes: true, Section: keymap.DebugSection, Short: "hold", Help: "hold tasks of the run that come to the line",
			}},
			sourceKey(lineType, "debugger", "type a debugger command: print t.param", ";"),
			sourceKey(lineShow, "", "keep an expression in sight: display sum", "i"),
			sourceKey(lineWhatIf, "what if", "run on from here with other words or handlers", "W"),
			sourceKey(lineReopen, "", "capture the task again as it is now", "R"),
		},
	},
	New: newSourcePane, Flat: true, Text: true, Command: "debug",
}

// sourceParts is what of the source view is shown where there is no room for all.
type sourceParts uint8

const (
	bothParts   sourceParts = iota // the source has the larger share
	sourceFirst                    // the source has all rows that it needs
	stateFirst                     // the state has all rows that it needs, above the source
	numParts
)

// sourcePane is the source of the selected task's next activation, under the debugger.
type sourcePane struct {
	*Env

	table *Table
	spec  Spec

	task, wanted uint32       // that is open; that was asked for last
	opened       frozenSource // position of the task that was asked for last
	run          *sourceRun
	shot, before *sourceShot // what is shown, and what was before the last move
	problem      error
	moves        []move
	cancel       func() // ends the move that is being made; nil: none
	began        time.Time
	reverse      bool   // the next move runs backward
	cursor, top  int    // line under the cursor and first line in sight, from 1
	howTo        string // what to do where no task is open
	parts        sourceParts
	code         cells.Rect  // where the source was drawn last
	came         keymap.View // that was shown before
}

func newSourcePane(e *Env, k *Kind) Pane {
	p := &sourcePane{Env: e, table: rowless(e, keymap.Code)}
	p.spec = Spec{
		Kind: k, Vary: func() { p.parts = (p.parts + 1) % numParts }, Back: p.stop, From: p.from, Line: p.line, Idle: func() bool { return p.shot == nil },
		Page:  func(cells.Rect) int { return max(p.code.H-1, 1) },
		Verbs: []Verb{{Name: "debug", Usage: "debug print t.param, or another command of the debugger", Words: []string{"print", "display", "undisplay", "set", "break", "condition", "watch", "who wrote", "locals", "stack", "x", "help", "quit"}, Run: p.typed}, p.supposeVerb()},
		Keys: map[string]func(){
			lineOver: p.step(debugger.Over), lineInto: p.step(debugger.Into), lineOut: p.step(debugger.Out),
			lineBack: func() { p.reverse = true; p.step(debugger.Over)() },
			lineRun:  p.moving((*debugger.Session).Continue),
			lineRev:  func() { p.reverse = !p.reverse },
			lineTo:   p.runTo, lineBreak: p.toggleBreak,
			lineHold:   p.holdHere,
			lineType:   func() { p.Type("debug ") },
			lineShow:   func() { p.Type("debug display ") },
			lineWhatIf: func() { p.Type("suppose ") },
			lineReopen: func() {
				if p.shot != nil {
					p.open(p.task)
				}
			},
		},
		Hooks: Hooks{Work: p.work, Working: func() bool { return p.cancel != nil || len(p.moves) > 0 }},
	}
	return p
}

// Spec implements Pane.
func (p *sourcePane) Spec() *Spec { return &p.spec }

// Table implements Pane.
func (p *sourcePane) Table() *Table { return p.table }

// Move implements Pane: it moves the cursor.
func (p *sourcePane) Move(_, rows int) { p.point(p.cursor + rows) }

// Jump implements Pane.
func (p *sourcePane) Jump(last bool) {
	if last {
		p.point(len(p.source()))
		return
	}
	p.point(1)
}

// Enter implements Pane.
func (p *sourcePane) Enter() bool {
	p.runTo()
	return true
}

// Click implements Pane: it puts the cursor on the line under the pointer.
func (p *sourcePane) Click(_ cells.Rect, at tea.Mouse) (key uint64, ok bool) {
	row := at.Y - p.code.Y
	if row < 0 || row >= p.code.H || at.X < p.code.X || at.X >= p.code.X+p.code.W {
		return 0, false
	}
	p.point(p.top + row)
	return uint64(p.cursor), true
}

// from is called when the view is shown from another one: it opens the task that is selected there, unless it is open as
// it is now.
func (p *sourcePane) from(previous Pane) {
	p.came = previous.Spec().View
	if of := previous.Spec().Task; of != nil {
		if id, ok := of(); ok && !p.isOpen(id) {
			p.open(id)
		}
	}
}

// isOpen reports whether a task is open and has the words that were captured.
func (p *sourcePane) isOpen(id uint32) bool {
	snap := p.Frame().Snap
	if p.shot == nil || p.task != id || snap == nil {
		return false
	}
	slot := p.run.Capture.Slot
	if slot >= snap.NumSlots() || p.oldText() && p.run.Capture.Held == nil {
		return false
	}
	captured := p.run.Capture.Buffers[megakernel.BindRing][slot*tasks.SlotWords:][:tasks.SlotWords]
	if h := p.run.Capture.Held; h != nil {
		captured = h.End
	}
	return slices.Equal(snap.Slot(slot)[:], captured)
}

// line is the command that opens the same in a shell.
func (p *sourcePane) line(subject string, at *time.Duration) []string {
	if p.shot == nil {
		return nil
	}
	command := []string{"debug", subject, "--task", megakernel.TaskName(p.task)}
	if at != nil {
		command = append(command, "--at", at.String())
	}
	return command
}

// source is the lines of the file that is shown.
func (p *sourcePane) source() (lines [][]repl.Token) {
	if p.shot == nil {
		return nil
	}
	return p.shot.lines
}

// point puts the cursor on a line.
func (p *sourcePane) point(line int) { p.cursor = min(max(line, 1), max(len(p.source()), 1)) }

// arrive shows where the session stands.
func (p *sourcePane) arrive(s *sourceShot) {
	if p.before == nil || p.before.stop.Pos.File != s.stop.Pos.File {
		p.top = 0
	}
	p.shot = s
	if s.stop.Pos.Line > 0 {
		p.point(s.stop.Pos.Line)
	}
}

// direction is that of the next move; it is asked once.
func (p *sourcePane) direction() debugger.Direction {
	d := debugger.Direction(p.reverse)
	p.reverse = false
	return d
}

func (p *sourcePane) step(k debugger.Kind) func() {
	return p.moving(func(s *debugger.Session, d debugger.Direction) debugger.Stop { return s.Step(k, d) })
}

func (p *sourcePane) moving(f func(*debugger.Session, debugger.Direction) debugger.Stop) func() {
	return func() {
		d := p.direction()
		p.do(func(x *sourceRun) (debugger.Stop, error) { return f(x.Session, d), nil })
	}
}

// runTo runs to the line under the cursor.
func (p *sourcePane) runTo() {
	if p.shot == nil {
		return
	}
	d, file, line := p.direction(), p.shot.stop.Pos.File, p.cursor
	p.do(func(x *sourceRun) (debugger.Stop, error) {
		stop, err := x.Until(file, line, d)
		if err != nil {
			stop = x.Here(debugger.Stepped)
		}
		return stop, err
	})
}

// toggleBreak sets a breakpoint at the line under the cursor, or removes those that are there.
func (p *sourcePane) toggleBreak() {
	if p.shot == nil {
		return
	}
	file, line := p.shot.stop.Pos.File, p.cursor
	p.do(func(x *sourceRun) (debugger.Stop, error) {
		here := x.Here(debugger.Stepped)
		list := slices.DeleteFunc(x.Breakpoints(), func(b *debugger.Breakpoint) bool { return b.File != file || b.Line != line })
		for _, b := range list {
			x.Clear(b.ID)
		}
		if len(list) > 0 {
			return here, nil
		}
		_, err := x.Break(file, line, debugger.BreakOptions{})
		return here, err
	})
}

// holdHere edits the command that sets a breakpoint of the run at the line under the cursor.
func (p *sourcePane) holdHere() {
	if p.shot != nil {
		p.Type(fmt.Sprintf("bp %s:%d", p.shot.stop.Pos.File, p.cursor))
	}
}

// typed is a command of the debugger.
func (p *sourcePane) typed(args []string) error {
	if p.run == nil {
		return failed(&fault.Error{Kind: ErrSource, Detail: "no task is open in the source view", Fix: "select a task and press " + p.KeyOf(keymap.ShowView+string(keymap.Code))})
	}
	if p.Show(keymap.Code); len(args) == 0 {
		return usage("missing command")
	}
	command := strings.Join(args, " ")
	p.do(func(x *sourceRun) (debugger.Stop, error) {
		x.last = debugger.Stop{}
		err := x.repl.Do(command)
		if x.last.Reason == "" {
			x.last = x.Here(debugger.Stepped)
		}
		return x.last, err
	})
	return nil
}

// leave closes the task and shows the view from which it was opened.
func (p *sourcePane) leave() {
	p.task, p.run, p.shot, p.before, p.problem, p.moves = 0, nil, nil, nil, nil, nil
	p.Show(cmp.Or(p.came, keymap.Tasks))
}

// stop ends a move that takes long; false where none is being made.
func (p *sourcePane) stop() bool {
	switch {
	case p.cancel == nil && p.shot != nil && (len(p.shot.output) > 0 || p.problem != nil):
		p.shot.output, p.problem = nil, nil // what a command printed has been read
		return true
	case p.cancel == nil:
		return false
	}
	p.cancel()
	p.moves = nil
	return true
}

// Held reports whether a task of a snapshot is what a debugger is opened for: a breakpoint holds it or it has faulted.
func Held(w *[tasks.SlotWords]uint32) bool {
	state := tasks.State(w[tasks.WordState])
	return state == tasks.Faulted || state == tasks.Paused && w[tasks.WordFlags]&tasks.FlagHalted != 0
}
