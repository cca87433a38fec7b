package tui

import "time"

// position is the time that is shown, of a recording or of what is kept of a live target.
type position struct {
	*shared

	shell  *model
	feed   *feed
	scrub  scrub
	marks  []time.Duration // in order
	loop   bool            // a recording begins again at its end
	search search
}
