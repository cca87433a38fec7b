package pane

import (
	"context"
	"image"
	"io"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/words"
	"vyretop/tui/cells"
	"vyretop/tui/keymap"
)

// Shell is the dashboard around the panes.
type Shell interface {
	// Frame is what is on the screen.
	Frame() *Frame
	// Latest is what the target does now.
	Latest() *Frame
	// Place is where the main pane is.
	Place() cells.Rect
	// Show shows another view.
	Show(v keymap.View) Pane
	// Open shows the details of a row of another view.
	Open(v keymap.View, key uint64)
	// Asking reports whether a question is on the screen, which what it is about must not move away from.
	Asking() bool
	// Pending is what was asked of workers or tasks and is not answered, by their keys.
	Pending(tasks bool) map[uint64]Pending
	// ChipBar is the key that leads to the chips, and the chip under the cursor, or -1.
	ChipBar() (key string, chosen int)
}

// Position is the time that is shown, and those that could be.
type Position interface {
	// At is the time that is shown.
	At() time.Duration
	// Present reports whether that is what the target does now.
	Present() bool
	// Past reports whether that is an earlier one of a live target.
	Past() bool
	// Seek shows another time.
	Seek(to time.Duration)
	// Marks are the times with a marker, in order.
	Marks() []time.Duration
	// Sample is what the target was at a time, nil where that is unknown.
	Sample(at time.Duration) *megakernel.Snapshot
	// Base is the screen that a recording was opened over, else nil.
	Base() *Frame
}

// BufferReader is a source that can read buffers of which snapshots hold nothing: the workload's own.
type BufferReader interface {
	// Buffers describes them; it is asked once.
	Buffers() []megakernel.BufferInfo
	// ReadBuffer copies words of one, from number first on. It may block until the end of ctx.
	ReadBuffer(ctx context.Context, name string, first int, dst []uint32) error
}

// Executor is a recording whose run can be executed again.
type Executor interface {
	// Activation captures the activation of a task that begins at a position, or the last one of a task that has
	// ended. It may take seconds.
	Activation(ctx context.Context, from capture.Source, o capture.Options) (*capture.Capture, error)
	// Suppose executes the run as it was recorded and with changes from that activation on, and writes how the two compare. A change is a word and
	// its value, or handlers. It may take long.
	Suppose(ctx context.Context, from capture.Source, task uint32, changes []string, w io.Writer) error
}

// RunReader is a recording that can be gone through as a whole, so that the timeline shows what has not been played.
type RunReader interface {
	// Read gives each record batch and each snapshot in the order in which they were recorded, until ctx ends. It may be
	// called from any goroutine, and takes as long as reading takes.
	Read(ctx context.Context, log func([]megakernel.LogRecord), snapshot func(*megakernel.Snapshot)) error
}

// Env is what the shell shares with its panes.
type Env struct {
	Shell

	Position Position
	Look     *Look
	Target   *megakernel.Target
	Ctx      func() context.Context // ends with the dashboard
	Now      func() time.Time
	Say      func(style cells.Style, text string)
	Fail     func(error)
	KeyOf    func(id string) string   // the first key of an action, as users read it
	Sheet    func(title, text string) // shows a text that is scrolled
	Type     func(text string)        // opens the command line with a text
	Sorted   map[string]string        // how tables were sorted last, by view; nil: nothing is remembered
	Live     bool                     // not a recording
	Steers   func() bool              // it can be given orders
	Quota    func(tenant uint64) (quota uint32, ok bool)
	Reader   BufferReader                       // nil: there are no other buffers
	Again    Executor                           // nil: its run cannot be executed again
	Run      RunReader                          // nil: it cannot be gone through as a whole
	Names    *words.Names                       // of words in all buffers
	Cell     func() (size image.Point, ok bool) // pixels of a cell, if the terminal draws pictures with them now; nil: never

	workers *Table
}
