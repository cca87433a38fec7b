// Package tui is the dashboard: it shows a running or recorded megakernel in a terminal and steers
// it.
//
// It owns the interfaces through which it sees a target (Source), acts on it (Sink) and moves
// through a recording (Transport); who implements them is not its business. The model
// and its parts (feed, position, views, prompts, ...) hold all state and change it in Update only; everything that can block runs outside, under a context, and
// comes back as a message. Every action binds to the id of a worker or task as it was when the key
// was pressed, never to a row.
//
// Subpackages, each knowing nothing of those behind it: cells (canvas), theme, units (numbers as
// text), layout, filter, history (rates and the recent past), keymap, prompt, pane (the panels and their tables).
//
// # Lines
//
// RunLinear tells what a target does as lines of text: for screen readers, for logs, and where
// no screen can be drawn. It never moves the cursor and uses no escape sequence.
//
// A line says what changed and names what it changed on, such as "worker 12 paused, task 88, scan". What
// changes all the time, such as a worker that takes the next task, is told in a summary now and then.
package tui

import (
	"context"
	"io"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/command"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// Linked is a Source that reaches its target over a connection.
type Linked interface {
	// LostSince is when the connection was lost, or the zero time while there is one.
	LostSince() time.Time
}

// Source is where the data comes from: a live target or a replayed recording. Its methods are called
// from one goroutine and must return at once.
type Source interface {
	// Target describes what does not change.
	Target() megakernel.Target
	// Snapshot is the newest at the source's time, or nil before the first. It is never changed
	// afterwards.
	Snapshot() *megakernel.Snapshot
	// Log returns retained records with Number >= after, in order, at most limit of them.
	Log(after uint64, limit int) []megakernel.LogRecord
	// Events returns events from index after on, at most limit of them. Earlier events never change.
	Events(after, limit int) []megakernel.HostEvent
	// Updates receives, coalesced, when a newer snapshot is there. A closed channel means that none
	// will come.
	Updates() <-chan struct{}
}

// TimedSource is a Source that knows when the records of its log were read, however far it moves at once.
type TimedSource interface {
	Source
	// TimedLog is Log with, for each record, when it was read.
	TimedLog(after uint64, limit int) ([]megakernel.LogRecord, []time.Duration)
}

// Sink takes what the user wants done to a live target.
type Sink interface {
	// Do sends a command and waits for its answer or the end of the context.
	Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error)
	// Retune changes the shape at the next slice boundary and waits until it is in force.
	Retune(ctx context.Context, s megakernel.Shape) error
}

// Tuner is a Sink that can change every setting of a target, and take changes back.
type Tuner interface {
	// Settings are those in force.
	Settings() megakernel.Settings
	// Apply changes settings and returns what they were and are.
	Apply(ctx context.Context, list ...megakernel.Setting) ([]megakernel.Change, error)
	// Undo takes the last change back and returns what it has changed.
	Undo(ctx context.Context) ([]megakernel.Change, error)
}

// Ender is a Sink that can end a target.
type Ender interface {
	// Drain has it take no new tasks, and waits until nothing is left that continues by itself.
	Drain(ctx context.Context) error
	// Stop ends it.
	Stop(ctx context.Context) error
}

// Meter is a Source that can be left alone for a while, so that what looking at it costs can be
// measured.
type Meter interface {
	// Quiet stops reading the target, or continues.
	Quiet(on bool)
	// Work is how much work is done, as megakernel.Snapshot.Work says it; it reads nothing else.
	Work() (done uint64, unit string)
}

// Transport moves through a recording. Its methods are called from one goroutine and must return at
// once.
type Transport interface {
	// Play lets the position move; from the end it begins again.
	Play()
	// Pause stops the position where it is.
	Pause()
	// Playing reports whether the position moves.
	Playing() bool
	// Speed is how many seconds of the run pass in a second.
	Speed() float64
	// SetSpeed changes the speed, within the bounds of the transport; what is not a number changes nothing.
	SetSpeed(float64)
	// Position is the position and the end, both since launch.
	Position() (at, end time.Duration)
	// Seek moves the position to a time since launch, within the span of the recording.
	Seek(time.Duration)
	Step(n int) // n samples on, or back when negative
}

// Archive is a Transport of which everything can be looked at without moving. Its methods may be called from any
// goroutine, and take as long as reading takes.
type Archive interface {
	// Samples is the number of the sample that is shown, from 0, and how many there are.
	Samples() (shown, count int)
	// Sample is a sample, nil where it cannot be read.
	Sample(n int) *megakernel.Snapshot
	// SampleAt is the newest sample at or before a time, nil where there is none.
	SampleAt(t time.Duration) *megakernel.Snapshot
	// AllLog is Source.Log of the whole recording.
	AllLog(after uint64, limit int) []megakernel.LogRecord
	// LogTime is when a record was read.
	LogTime(number uint64) time.Duration
	// AllEvents is Source.Events of the whole recording.
	AllEvents(after, limit int) []megakernel.HostEvent
}

// Saver writes a snapshot, with debug-log records before it and why it was saved, to a file that it names. It
// is called outside of the dashboard's goroutine.
type Saver func(s *megakernel.Snapshot, log []megakernel.LogRecord, why string) (file string, err error)

// Options say what to show and how. Source is required; every other zero value is a default.
type Options struct {
	Source    Source
	Sink      Sink      // nil: read-only
	Transport Transport // nil: a live target
	ReadOnly  bool      // hide everything that changes the target, though there is a Sink

	Owner *Owner // the run that ends when its dashboard is left; nil for the target of another process

	Subject          string                                  // how commands name the target: a live run or a file; "" where they cannot
	Title            string                                  // in the header; "vyretop" when empty
	Hint             string                                  // a line that is shown for a while at the beginning
	Version          string                                  // in the footer
	Color            string                                  // "auto" (also ""), "always" or "never"
	Looks            *theme.Looks                            // nil: the default theme
	Themes           func(name string) (*theme.Looks, error) // other looks; nil: the built-in ones
	ThemeNames       []string                                // of Themes
	FollowBackground bool                                    // Looks are the default ones: on a light background take the light ones
	ASCII            bool                                    // no character outside ASCII
	Keys             *keymap.Map                             // nil: the default keys
	FPS              int                                     // frames per second at most; DefaultFPS when 0

	Script     []command.Line // commands to carry out one after the other, as if typed; "wait" waits
	ScriptName string         // in errors
	Ready      func()         // nil, or called once when the script waits for the first time, or ends

	Alerts *alert.Watch // nil: none

	Reload func() (Configured, error) // reads the user's configuration again; nil: there is none
	Save   Saver                      // nil: nothing can be saved

	Explain Explainer // nil: nothing is explained
	Open    Opener    // nil: nothing else can be opened

	// Sorting is how tables were sorted last: by view the column, with a "-" in front where it is descending. The
	// dashboard keeps it as the user changes it. Nil: nothing is remembered.
	Sorting map[string]string

	HistoryBytes int // of snapshots of a live target that are kept to look back; history.DefaultBudget when 0

	Without Without // what the terminal may have and is not used

	Input   io.Reader // the terminal when nil
	Output  io.Writer // the terminal when nil
	Environ []string  // of the terminal's user; the process's own when nil

	// Idle, when not nil, receives (without blocking) each time everything that arrived has been
	// handled and no request to the target is under way. Tests wait for it.
	Idle chan<- struct{}
}

// Without is what a dashboard does without, although the terminal may have it.
type Without struct {
	Mouse  bool // it is left to the terminal, to select text; M changes it
	Pixels bool // pictures are half blocks; the terminal is not asked for its pixels
}

// Configured is what a configuration that was read again says.
type Configured struct {
	Path   string       // of its file
	Keys   *keymap.Map  //
	Theme  string       // "" where it is as before, as are
	FPS    int          // 0
	Alerts *alert.Watch // and nil
}

// DefaultFPS is the frame rate when Options names none: smooth enough for numbers, light enough for
// a slow connection.
const DefaultFPS = 15

// BufferReader is a Source that can read buffers of which snapshots hold nothing: the workload's own.
type BufferReader = pane.BufferReader

// Reader is a Transport whose recording can be gone through as a whole, so that the timeline shows what has not been played.
type Reader = pane.RunReader
