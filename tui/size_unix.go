//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
)

// sizeChanges returns a channel that receives when the size of the terminal may have changed, also while the
// dashboard was suspended, and a function that ends it.
func sizeChanges() (<-chan os.Signal, func()) {
	changes := make(chan os.Signal, 1)
	signal.Notify(changes, syscall.SIGWINCH, syscall.SIGCONT)
	return changes, func() { signal.Stop(changes) }
}
