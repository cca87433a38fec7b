// Package fleet is the screen of many targets: one line for each, with filter, order, groups, marks and alerts, as the tables of the
// dashboard have them. Opening a target ends the screen; what opens it starts the screen again, as it was, from its Place.
//
// One goroutine, that of the terminal library, changes the model. Commands to targets run outside and come back as messages.
package fleet

import (
	"context"
	"io"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/command"
	"vyretop/megakernel/targets"
	"vyretop/tui/keymap"
	"vyretop/tui/pane"
	"vyretop/tui/theme"
)

// ErrTerminal is matched by errors of the terminal itself.
const ErrTerminal fault.Kind = "terminal of the fleet's screen failed"

// Source is where the targets come from.
type Source interface {
	// Targets are copies of all targets, in the order of their titles.
	Targets() []*targets.Target
	// Updates receives, coalesced, when something is newer.
	Updates() <-chan struct{}
	// Lost is since when there is no connection to the hub, and why; the error is nil while there is one.
	Lost() (since time.Time, err error)
}

// Command gives a command to targets and tells what each made of it, in the order in which they answer.
type Command func(ctx context.Context, list []*targets.Target, o command.Order, told func(targets.Answer))

// Options say what to show and how.
type Options struct {
	Source  Source
	Command Command // nil: targets are only watched
	Hub     string  // for the header
	Filter  string
	Sort    string
	Alerts  []alert.Rule
	Keys    *keymap.Map
	Look    *theme.Theme
	Color   bool // more than 16 colors
	FPS     int
	NoMouse bool
	Version string
	Place   *Place // where the screen was left; nil for the first time
	Message string // shown until the first key

	Input   io.Reader
	Output  io.Writer
	Environ []string
	Now     func() time.Time // the clock; nil for that of the host
}

// Place is where a screen was left.
type Place struct {
	state  pane.TableState
	group  string
	groups pane.TableState
	frozen []*targets.Target
}
