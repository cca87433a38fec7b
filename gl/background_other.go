//go:build cgo && egl && !linux

package gl

// yieldProcessor does nothing here: priorities are those of processes.
func yieldProcessor() {}
