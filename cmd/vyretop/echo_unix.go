//go:build linux || darwin

package main

import (
	"os"
	"sync"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// silence keeps a terminal from showing what is typed, until the function that it returns is called. Keys are kept for what reads
// them then. A process in the background leaves the terminal alone: changing it would stop the process.
func silence(file *os.File) (end func()) {
	before, err := term.GetState(file.Fd())
	if err != nil || !inForeground(file) {
		return func() {}
	}
	silent := *before
	silent.Lflag &^= unix.ECHO
	if term.SetState(file.Fd(), &silent) != nil {
		return func() {}
	}
	return sync.OnceFunc(func() {
		if inForeground(file) {
			_ = term.SetState(file.Fd(), before) // the terminal may be gone
		}
	})
}
