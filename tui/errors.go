package tui

import (
	"vyretop/engine/fault"
)

// ErrTerminal is matched by errors of the terminal itself: none there, or it went away.
const ErrTerminal fault.Kind = "terminal failed"

// ErrCommand is matched by errors about what was typed behind ":".
const ErrCommand fault.Kind = "command cannot be run"

// ErrControl is matched by errors about commands that who watches cannot give.
const ErrControl fault.Kind = "command needs control"

// ErrOptions is matched when Run is given options that cannot work.
const ErrOptions fault.Kind = "dashboard options are incomplete: no Source. Fix: set Options.Source"
