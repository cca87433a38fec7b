//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownGroup keeps Ctrl-C in the terminal from ending a process that is started.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
