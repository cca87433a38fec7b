//go:build linux || darwin

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// inForeground reports whether the shell of a terminal has this process in the foreground, or knows of none.
func inForeground(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}
