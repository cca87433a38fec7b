//go:build !unix

package tui

import "time"

// sizeInterval is how often the size of the terminal is read where the system does not tell of changes.
const sizeInterval = 250 * time.Millisecond

// sizeChanges returns a channel that receives when it is time to read the size of the terminal again, and a
// function that ends it.
func sizeChanges() (<-chan time.Time, func()) {
	t := time.NewTicker(sizeInterval)
	return t.C, t.Stop
}
