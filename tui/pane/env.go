package pane

import (
	"time"

	"vyretop/megakernel"
	"vyretop/tui/cells"
)

// Shell is the dashboard around the panes.
type Shell interface {
	// Frame is what is on the screen.
	Frame() *Frame
	// Asking reports whether a question is on the screen, which what it is about must not move away from.
	Asking() bool
	// Pending is what was asked of workers or tasks and is not answered, by their keys.
	Pending(tasks bool) map[uint64]Pending
}

// Env is what the shell shares with its panes.
type Env struct {
	Shell

	Look   *Look
	Target *megakernel.Target
	Now    func() time.Time
	Say    func(style cells.Style, text string)
	Sorted map[string]string // how tables were sorted last, by view; nil: nothing is remembered
}
