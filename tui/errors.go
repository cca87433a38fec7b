package tui

import (
	"fmt"

	"vyretop/engine/fault"
)

// ErrTerminal is matched by errors of the terminal itself: none there, or it went away.
const ErrTerminal fault.Kind = "terminal failed"

// TerminalError says what the terminal would not do.
type TerminalError struct{ Err error }

// Error implements error.
func (e *TerminalError) Error() string {
	return fmt.Sprintf("the dashboard lost its terminal: %v. Fix: run it in an interactive terminal, or use --headless", e.Err)
}

// Unwrap makes errors.Is work for ErrTerminal and for the cause.
func (e *TerminalError) Unwrap() []error { return []error{ErrTerminal, e.Err} }

// ErrCommand is matched by errors about what was typed behind ":".
const ErrCommand fault.Kind = "command cannot be run"

// ErrControl is matched by errors about commands that who watches cannot give.
const ErrControl fault.Kind = "command needs control"

// ErrOptions is matched when Run is given options that cannot work.
const ErrOptions fault.Kind = "dashboard options are incomplete: no Source. Fix: set Options.Source"
