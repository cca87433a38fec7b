//go:build cgo && egl && !linux

package gl

import "os/exec"

// yieldProcessor does nothing here: priorities are those of processes.
func yieldProcessor() {}

// inOwnSession does nothing here: the process ends with the terminal of this one.
func inOwnSession(*exec.Cmd) {}
