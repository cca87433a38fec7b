package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel/tune"
)

// control is what was asked of the target, and what became of it.
type control struct {
	*shared

	shell    *model
	script   *playlist
	requests requests
	undo     []func(*model) tea.Cmd // take back what was carried out, oldest first
	window   time.Duration          // of measurements
	effect   *tune.Comparison       // the overhead of observing; nil until it was measured
}
