package tui

import (
	"errors"
	"fmt"
)

// ErrTerminal is matched by errors of the terminal itself: none there, or it went away.
var ErrTerminal = errors.New("terminal failed")

// TerminalError says what the terminal would not do.
type TerminalError struct{ Err error }

// Error implements error.
func (e *TerminalError) Error() string {
	return fmt.Sprintf("the dashboard lost its terminal: %v. Fix: run it in an interactive terminal, or use --headless", e.Err)
}

// Unwrap makes errors.Is work for ErrTerminal and for the cause.
func (e *TerminalError) Unwrap() []error { return []error{ErrTerminal, e.Err} }

// ErrCommand is matched by errors about what was typed behind ":".
var ErrCommand = errors.New("command cannot be run")

// CommandError says what is wrong with a typed command.
type CommandError struct {
	Command string
	Detail  string
	Fix     string
	Err     error // says both; nil for none
}

// Error implements error.
func (e *CommandError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf(":%s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf(":%s: %s. Fix: %s", e.Command, e.Detail, e.Fix)
}

// Unwrap gives ErrCommand and the cause.
func (e *CommandError) Unwrap() []error { return []error{ErrCommand, e.Err} }

// ErrOptions is matched when Run is given options that cannot work.
var ErrOptions = errors.New("dashboard options are incomplete: no Source. Fix: set Options.Source")
