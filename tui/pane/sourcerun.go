package pane

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/capture"
)

// sourceRun is an activation under the debugger. It belongs to the goroutine that carries out moves, one at a time.
type sourceRun struct {
	*capture.Activation

	files map[string][][]repl.Token
	repl  repl.REPL
	out   strings.Builder
	last  debugger.Stop // of a typed command; without a reason where it did not move
}

// sourceMove is something to do with an activation; it returns where the session stands then.
type sourceMove func(x *sourceRun) (debugger.Stop, error)

// sourceShot is what is shown of an activation while it stands. It is not changed.
type sourceShot struct {
	stop      debugger.Stop
	lines     [][]repl.Token // of the file
	displays  []repl.Displayed
	locals    []debugger.Variable
	values    []string // of locals
	stack     []debugger.Frame
	lanes     debugger.Lanes // of a task that all lanes run
	breaks    map[int]bool   // by line of the file
	undefined []debugger.Undefined
	output    []string         // of the last typed command
	outcome   *capture.Outcome // nil before the end of the activation
	executed  executed
}

// mostLanes bounds the lanes whose variables are evaluated at each stop.
const mostLanes = 256

// frozenSource is a target whose snapshot is the one on the screen.
type frozenSource struct {
	BufferReader

	target megakernel.Target
	snap   *megakernel.Snapshot
}

// Target implements capture.Source.
func (s frozenSource) Target() megakernel.Target { return s.target }

// Now implements capture.Source.
func (s frozenSource) Now(context.Context) (*megakernel.Snapshot, error) { return s.snap, nil }

// Breakpoints are those of the target, nil where it has none.
func (s frozenSource) Breakpoints() []breakpoint.Status {
	if b, ok := s.BufferReader.(interface{ Breakpoints() []breakpoint.Status }); ok {
		return b.Breakpoints()
	}
	return nil
}

// ErrSource is matched by errors about tasks whose source cannot be shown.
const ErrSource fault.Kind = "the source cannot be shown"

// openRun captures a task and opens its handler.
func openRun(ctx context.Context, from capture.Source, again Executor, o capture.Options) (*sourceRun, error) {
	c, err := capture.Take(ctx, from, o)
	if err != nil && again != nil && ctx.Err() == nil {
		c, err = again.Activation(ctx, from, o)
	}
	if err != nil {
		return nil, err
	}
	a, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	x := &sourceRun{Activation: a, files: map[string][][]repl.Token{}}
	x.repl = repl.REPL{Session: a.Session, Quiet: true, Out: &x.out, Line: x.line, Lines: func(file string) int { return len(x.file(file)) }}
	x.repl.Outcome = func(stop debugger.Stop) string {
		x.last = stop
		return ""
	}
	return x, nil
}

func (x *sourceRun) file(name string) [][]repl.Token {
	lines, ok := x.files[name]
	if !ok {
		text, _ := x.Capture.Text.File(name)
		lines = repl.Highlight(text)
		x.files[name] = lines
	}
	return lines
}

func (x *sourceRun) line(file string, n int) string {
	var b strings.Builder
	if lines := x.file(file); n > 0 && n <= len(lines) {
		for _, t := range lines[n-1] {
			b.WriteString(t.Text)
		}
	}
	return b.String()
}

// shoot makes what is shown of the session where it stands. Behind the end of the handler the file of its first line
// stays.
func (x *sourceRun) shoot(stop debugger.Stop) *sourceShot {
	s := &sourceShot{stop: stop, stack: x.Stack(), undefined: x.TakeUndefined(), breaks: map[int]bool{}}
	if capture.IsKernelFile(stop.Pos.File) {
		s.stop.Pos = x.Entry.Pos
		s.stop.Pos.Line = 0
		s.stack = nil
	} else {
		s.locals = x.Locals()
	}
	s.displays = x.repl.Displays()
	if x.Capture.Together() && s.locals != nil && len(x.Active()) <= mostLanes {
		s.lanes, _ = x.Lanes(nil) // of variables in scope, which have values
	}
	for _, v := range s.locals {
		s.values = append(s.values, v.Value.String())
	}
	s.lines, s.executed = x.file(s.stop.Pos.File), x.count(s.stop.Pos.File)
	for _, b := range x.Breakpoints() {
		if b.File == s.stop.Pos.File {
			s.breaks[b.Line] = true
		}
	}
	if stop.Reason == debugger.Ended || stop.Reason == debugger.LaneEnded {
		out := x.Outcome()
		s.outcome = &out
	}
	if text := strings.TrimRight(x.out.String(), "\n"); text != "" {
		s.output = strings.Split(text, "\n")
	}
	x.out.Reset()
	return s
}

// sourceMoved is the end of a move.
type sourceMoved struct {
	of   *sourcePane
	task uint32
	run  *sourceRun // nil: the task could not be opened
	shot *sourceShot
	told string // a comparison to show
	err  error
}

// Take implements Message.
func (msg sourceMoved) Take() {
	p := msg.of
	p.cancel()
	p.cancel = nil
	if errors.Is(msg.err, repl.ErrQuit) {
		p.leave()
		return
	}
	if msg.err != nil {
		p.problem = msg.err
		if msg.run == nil {
			p.run, p.shot, p.moves = nil, nil, nil
		}
	}
	if msg.told != "" {
		p.Sheet("What if", msg.told)
	}
	if msg.shot != nil {
		if out := msg.shot.output; len(out) > mostOutput {
			p.Sheet("Debugger", strings.Join(out, "\n"))
			msg.shot.output = nil
		}
		p.task, p.run, p.before = msg.task, msg.run, p.shot
		p.arrive(msg.shot)
	}
}

// mostOutput is how many lines that a typed command has printed stand beside the source; more are scrolled.
const mostOutput = 6

// work carries out the next move outside of the dashboard's goroutine.
func (p *sourcePane) work(bool) tea.Cmd {
	if p.cancel != nil || len(p.moves) == 0 {
		return nil
	}
	move := p.moves[0]
	p.moves = p.moves[1:]
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(p.Ctx())
	p.began, p.problem = p.Now(), nil
	return func() tea.Msg {
		msg := move(ctx)
		msg.of = p
		return msg
	}
}

// move is something to do, in its turn.
type move func(ctx context.Context) sourceMoved

// maxMoves bounds the moves that wait: keys that are held down must not add up.
const maxMoves = 8

// do has the session move.
func (p *sourcePane) do(m sourceMove) {
	x, task := p.run, p.task
	if x == nil || len(p.moves) >= maxMoves {
		return
	}
	p.moves = append(p.moves, func(ctx context.Context) sourceMoved {
		x.WithContext(ctx)
		stop, err := m(x)
		return sourceMoved{task: task, run: x, shot: x.shoot(stop), err: err}
	})
}

// open captures a task and shows its source.
func (p *sourcePane) open(task uint32) {
	snap := p.Frame().Snap
	p.problem = p.mayOpen(snap)
	if p.problem != nil {
		return
	}
	from := frozenSource{p.Reader, *p.Target, snap}
	p.opened = from
	again, o := p.Again, capture.Options{Name: p.Target.Workload, Task: task, Live: p.Live}
	p.wanted = task
	p.moves = append(p.moves[:0], func(ctx context.Context) sourceMoved {
		ctx, cancel := context.WithTimeout(ctx, openLimit)
		defer cancel()
		x, err := openRun(ctx, from, again, o)
		if err != nil {
			return sourceMoved{task: task, err: err}
		}
		return sourceMoved{task: task, run: x, shot: x.shoot(x.Entry)}
	})
}

// openLimit is how long capturing a task may take.
const openLimit = 20 * time.Second

// mayOpen says why no task can be opened, nil where one can.
func (p *sourcePane) mayOpen(snap *megakernel.Snapshot) error {
	refused := func(detail, fix string) error {
		return &fault.Error{Kind: ErrSource, Detail: detail, Fix: fix}
	}
	switch {
	case snap == nil:
		return refused("nothing has been read of the target yet", "wait for its first snapshot")
	case p.Reader == nil:
		return refused("the buffers of this target cannot be read", "open a live run, or a recording of a whole run")
	case p.Live && p.Position.Past():
		return refused("the buffers are known as they are now, not at this earlier time", "press End to return to the present")
	}
	return nil
}
