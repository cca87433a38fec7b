//go:build !unix

package run

import "errors"

// Supervised reports whether another process waits for this one: never here.
func Supervised([]string) bool { return false }

// Impossible says why a run cannot leave its terminal.
func Impossible([]string) string { return "this system has no sessions" }

// Supervise is not possible on this system.
func Supervise([]string, []string) (int, string, error) { return 0, "", errors.ErrUnsupported }

// WatchSupervisor does nothing: there is none.
func WatchSupervisor([]string) {}

// Leave is not possible on this system.
func (l *DetachedLog) Leave(string) error { return errors.ErrUnsupported }

func ending(int) bool { return false }
