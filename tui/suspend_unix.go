//go:build linux || darwin

package tui

import (
	"os"

	"golang.org/x/sys/unix"
)

// hasJobControl reports whether somebody in our session, but not in our process group, has started the group: a
// shell that can continue it. The kernel throws away stop signals for any other group ("orphaned", POSIX.1-2017
// base definitions 3.264), and a program that then waits to be continued waits for ever.
func hasJobControl() bool {
	group := unix.Getpgrp()
	session, err := unix.Getsid(0)
	if err != nil {
		return true
	}
	for pid := os.Getpid(); pid > 1; {
		parent, err := parentOf(pid)
		if err != nil || parent == 0 {
			return false
		}
		theirs, err := unix.Getpgid(parent)
		if err != nil {
			return false
		}
		if theirs != group {
			of, err := unix.Getsid(parent)
			return err == nil && of == session
		}
		pid = parent
	}
	return false
}
