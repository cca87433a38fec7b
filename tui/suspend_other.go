//go:build !linux && !darwin

package tui

// hasJobControl reports whether a shell can continue the dashboard: systems without job control have none.
func hasJobControl() bool { return false }
