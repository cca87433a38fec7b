//go:build cgo && egl && linux

package gl

import (
	"os/exec"
	"syscall"
)

// backgroundNice is the nice value of a thread that compiles in the background.
const backgroundNice = 10

// yieldProcessor has the calling thread, and those that it starts, give way to others. A host that does not allow it
// compiles as fast as it can.
func yieldProcessor() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, backgroundNice) }

// inOwnSession has a process that is to be started outlive the terminal of this one: Ctrl-C does not reach it.
func inOwnSession(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
