// Package attach is what the front ends of the debugger need of a run that they attach to: breakpoints that hold its tasks
// inside of handlers, and the activation of a held task as a session of the debugger. Package livedebug implements it.
package attach

import (
	"context"
	"fmt"
	"strings"

	"vyretop/engine/debugger"
	"vyretop/engine/fault"
)

// Break is a breakpoint of a run. One of Line, Watch and Event is set.
type Break struct {
	ID    int // in the run; 0: it is not set
	File  string
	Line  int           // on which a statement begins
	Asked int           // line that was asked for; 0: it is Line
	Watch string        // expression of a value that activations change
	Event string        // that an activation brings about: "fault", or "spawn OPCODE"
	If    string        // condition in the kernel language; of the names old and value where a value is watched
	Hits  debugger.Hits // which of the activations that come there hold their task
	Log   string        // text with {EXPR} in it to report in place of holding the task, "" to hold it
}

// String describes a breakpoint, without its number.
func (b Break) String() string {
	text := b.Event
	switch {
	case b.Watch != "":
		text = "watch " + b.Watch
	case b.Line != 0:
		text = fmt.Sprintf("%s:%d", b.File, b.Line)
	}
	if b.Asked != 0 && b.Asked != b.Line {
		text += fmt.Sprintf(" (no statement begins on line %d)", b.Asked)
	}
	if b.If != "" {
		text += " if " + b.If
	}
	if b.Hits.Op != "" {
		text += fmt.Sprintf(" hit %s%d", strings.TrimPrefix(b.Hits.Op, "=="), b.Hits.N)
	}
	if b.Log != "" {
		text += fmt.Sprintf(" log %q", b.Log)
	}
	return text
}

// Status is a breakpoint of a run and what became of it.
type Status struct {
	Break
	Hits    uint64
	Own     bool // this debugger has set it
	Pending bool // the run has not acknowledged it
	Text    string
}

// Why says why a task stands still.
type Why uint8

// The reasons.
const (
	AtBreak Why = iota // a breakpoint of this debugger holds it
	Found              // it stood still before the debugger came
	Paused             // the debugger was asked to pause
)

// Stop is a task that stands still, and its activation.
type Stop struct {
	Session *debugger.Session // nil: the run is held behind its end, as its result failed the verification
	At      debugger.Stop     // where the session stands: where the breakpoint was hit, or at the first line of the handler
	Why     Why
	Break   *Break // that holds the task; nil for another reason
	Task    string
	Handler string
	Worker  int
	Lane    int
	Alone   bool   // one lane runs the handler
	About   string // what is opened, for people
	Outcome func(debugger.Stop) string
	Left    string // what has changed in a buffer's value that is watched: "3 -> 4"
}

// End is what becomes of held tasks when a debugger detaches.
type End uint8

// The ends. All of them remove the breakpoints.
const (
	Resume    End = iota // tasks that breakpoints of this debugger hold are resumed
	Leave                // they stay held
	Terminate            // the run is ended
)

// ErrRun is the kind of the errors about runs that cannot be debugged any longer.
const ErrRun fault.Kind = "the run cannot be debugged"

// ErrResult is the kind of what an error about a run that has ended wraps where its result failed the verification.
const ErrResult fault.Kind = "the result of the run is wrong"

// ErrLost is the kind of what an error about a run wraps that has gone without an end in order.
const ErrLost fault.Kind = "the run is lost"

// Run is a run in another process.
type Run interface {
	Text
	Breaks
	Tasks

	// Name is that of the run.
	Name() string
	// Steers reports whether this debugger has control of the run: without, it sets no breakpoint.
	Steers() bool
	// Workers is how many workers the run has.
	Workers() int
	// OnReport has messages of breakpoints go to a function.
	OnReport(f func(Report))
	// Detach removes the breakpoints of this debugger, and leaves the run.
	Detach(ctx context.Context, e End) error
}

// Shared is a run in which breakpoints of others may hold tasks, too.
type Shared interface {
	// HeldByOthers says which do, "" for none. This debugger waits for none of them.
	HeldByOthers() string
}

// Reloader is a run whose handlers can be read again while it runs. The text says what was done.
type Reloader interface {
	Reload(ctx context.Context) (text string, err error)
}

// Resumer is a run whose workers may all be paused, so that no task comes to a breakpoint.
type Resumer interface {
	AllPaused() bool
	ResumeAll(ctx context.Context) error
}

// Text is the text of the workload that a run executes.
type Text interface {
	// Files lists the workload's files, as the kernel names them.
	Files() []string
	Text(file string) string
	// Lines lists the lines of a file on which a statement begins.
	Lines(file string) []int
}

// Breaks are the breakpoints of a run.
type Breaks interface {
	// Find completes the place of a breakpoint, or says what is wrong with it.
	Find(b Break) (Break, error)
	// Set sets a breakpoint that was found, and waits until it is in force. A kernel may be compiled for it first. With an ID it
	// takes the place of the breakpoint of that number, and resumes the tasks that it holds, but for the one that is open.
	Set(ctx context.Context, b Break) (Break, error)
	// Clear removes a breakpoint. One that Set waits for is found by what it is.
	Clear(ctx context.Context, b Break) error
	// List lists the breakpoints of the run, those of others too.
	List() []Status
}

// Tasks are the tasks of a run. One goroutine at a time calls Wait, Hold and Release.
type Tasks interface {
	// Wait waits until a breakpoint of this debugger holds a task, and opens its activation. Errors are ErrRun when the run
	// has ended, ctx's, and others when a task could not be opened, which is resumed then.
	Wait(ctx context.Context) (*Stop, error)
	// Standing opens a task: the one with an ID, else one that stands still already; nil where there is none.
	Standing(ctx context.Context, task string) (*Stop, error)
	// Hold pauses the workers, and opens the next activation of a task that waits.
	Hold(ctx context.Context) (*Stop, error)
	// Release resumes what was opened last.
	Release(ctx context.Context) error
}

// Report is a message of a breakpoint in a run.
type Report struct {
	debugger.Report
	Break Break
	Task  string
}
