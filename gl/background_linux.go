//go:build cgo && egl && linux

package gl

import "syscall"

// backgroundNice is the nice value of a thread that compiles in the background.
const backgroundNice = 10

// yieldProcessor has the calling thread, and those that it starts, give way to others. A host that does not allow it
// compiles as fast as it can.
func yieldProcessor() { _ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, backgroundNice) }
