package main

import (
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"vyretop/cmd/vyretop/internal/trim"
)

// garbagePercent is how much garbage a process that does nothing but show may keep, by what it uses: collecting
// it costs such a process little, because what is thrown away there is mostly whole snapshots. Go's own 100
// would make of each megabyte that is used two.
const garbagePercent = 50

// startPercent is garbagePercent until there is something to see: what is collected in the first milliseconds is
// nearly nothing.
const startPercent = 400

// startTime is how long after the first frame the start is over.
const startTime = time.Second

// thrift returns what makes the process keep little garbage from the first frame on, and give back what its start
// took. A user who has set GOGC knows better.
func (a *app) thrift() func() {
	if slices.ContainsFunc(a.env, func(v string) bool { return strings.HasPrefix(v, "GOGC=") }) {
		return nil
	}
	debug.SetGCPercent(startPercent)
	return func() {
		debug.SetGCPercent(garbagePercent)
		time.AfterFunc(startTime, func() {
			debug.FreeOSMemory()
			_ = trim.Program() // a system that does not say what is mapped keeps it
		})
	}
}
