package main

import (
	"fmt"
	"runtime/debug"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/tasks"
	"vyretop/tui/progress"
)

// damaged is what a recording that is read says of what cannot be read of it.
type damaged interface {
	Damage() []*fixtures.Damage
	Truncated() bool
}

// mostWarnings is how many places of damage are told of a recording.
const mostWarnings = 8

// warn says what is missing of a damaged recording, and at the end of the command what was found to be missing until
// then. The exit status tells both: a command that reads less than there was has not succeeded. A recording that breaks
// off has succeeded: it is read as far as it goes.
func (a *app) warn(of any) {
	r, ok := of.(damaged)
	if !ok {
		return
	}
	told := 0
	tell := func() (some bool) {
		list := r.Damage()
		some = told < len(list)
		for ; told < min(len(list), mostWarnings); told++ {
			d := *list[told]
			if address := a.fetched[d.Name]; address != "" {
				d.Name = address
			}
			fmt.Fprintf(a.stderr, "vyretop: %v\n", &d)
		}
		if told < len(list) {
			fmt.Fprintf(a.stderr, "vyretop: %d more damaged places. Fix: copy the file again from its source\n", len(list)-told)
			told = len(list)
		}
		return some
	}
	tell()
	less := told > 1 || told == 1 && !r.Truncated()
	a.atEnd = append(a.atEnd, func() {
		if (tell() || less) && a.status == exitOK {
			a.status = exitFailed
		}
	})
}

// warnText tells something that does not end the command, in place of what shows on the terminal how far it is.
func (a *app) warnText(text string) {
	if w, _, ok := notices(a.stderr); ok {
		progress.Erase(w)
	}
	fmt.Fprintf(a.stderr, "vyretop: %s\n", text)
}

// readerMargin is what a command that reads a recording takes in memory beside snapshots of its target, and one that reads kernels
// in all.
const readerMargin = 128 << 20

// frugal has the collector keep to the memory that reading a recording takes: by itself it would let the heap grow to
// twice what is in use, and snapshots are large.
func frugal(t *megakernel.Target) {
	slots := int64(min(max(t.Slots, 0), megakernel.MaxSlots))
	debug.SetMemoryLimit(readerMargin + 3*4*slots*tasks.SlotWords)
}

// watcherGrowth is by how many percent the heap of a dashboard on the run of another process or on a recording may grow before it is
// collected. It keeps little and reads much: at the default of 100 half of its memory is garbage.
const watcherGrowth = 30

// lean has the collector keep a dashboard small that runs no kernel.
func lean() { debug.SetGCPercent(watcherGrowth) }
