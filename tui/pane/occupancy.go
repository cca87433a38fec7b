package pane

import (
	"strconv"
	"time"

	"vyretop/engine/units"
	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
	"vyretop/tui/cells"
	"vyretop/tui/history"
	"vyretop/tui/theme"
)

// occupy tells the history what a report of occupancy needs of the frame, and returns the newest report.
func (f *Frame) occupy(h *history.History) *stats.Occupancy {
	m := stats.OccupancySample{Taken: f.Snap.Taken, Lanes: f.Snap.Lanes, Workers: f.Workers, Served: f.Snap.Served}
	for i := range m.States {
		m.States[i] = uint32(f.SlotCounts.States[i])
	}
	for p := range m.Waiting {
		m.Waiting[p] = f.SlotCounts.Priorities[p].Waiting
	}
	return h.Occupancy(m)
}

// occupied is the share of its time in slices that the target spent claiming and running tasks; ok is false
// where the target does not count time.
func (f *Frame) occupied() (share float64, ok bool) {
	if f.Occupancy == nil || f.Occupancy.Share == nil {
		return 0, false
	}
	return f.Occupancy.Share.Busy, true
}

// clock says in two words what the share of time in the header is of.
func (f *Frame) clock() string {
	if _, ok := f.occupied(); !ok {
		return ""
	}
	if f.Target.Clock == iterationClock {
		return "of iterations"
	}
	return "of clock"
}

// iterationClock is the clock of devices that have none.
const iterationClock = "loop iterations"

// filled is the share of their lanes that claims filled in the newest second; ok is false without claims.
func (f *Frame) filled() (share float64, ok bool) {
	if !f.Stats.OccupancyKnown || f.Snap.Lanes <= 0 {
		return 0, false
	}
	return f.Stats.LanesPerClaim / float64(f.Snap.Lanes), true
}

// occupancyOf is the report of a worker, or nil.
func (f *Frame) occupancyOf(id int) *stats.Worker {
	if f.Occupancy == nil || id < 0 || id >= len(f.Occupancy.Workers) {
		return nil
	}
	return &f.Occupancy.Workers[id]
}

// appendBusy writes what a worker spent its time on.
func appendBusy(dst []byte, f *Frame, w *megakernel.Worker) []byte {
	o := f.occupancyOf(w.ID)
	if o == nil || o.Share == nil {
		return append(dst, '-')
	}
	dst = append(units.AppendPercent(dst, o.Share.Busy), " = "...)
	dst = append(units.AppendPercent(dst, o.Share.Handler), " run + "...)
	return append(units.AppendPercent(dst, o.Share.Claim), " claim"...)
}

// appendIdle writes the rest of its time, what that is counted in, and the unit of the device where that is
// known.
func appendIdle(dst []byte, f *Frame, w *megakernel.Worker) []byte {
	o := f.occupancyOf(w.ID)
	if o == nil || o.Share == nil {
		return append(dst, '-')
	}
	clock := " of device clock"
	if f.Target.Clock == iterationClock {
		clock = " of " + iterationClock
	}
	dst = append(units.AppendPercent(dst, o.Share.Idle), clock...)
	if w.Unit == 0 {
		return dst
	}
	return strconv.AppendUint(append(dst, ", unit "...), uint64(w.Unit-1), 10)
}

// appendLanes writes how many lanes a worker's claims filled.
func appendLanes(dst []byte, f *Frame, w *megakernel.Worker) []byte {
	o := f.occupancyOf(w.ID)
	if o == nil || o.Lanes == 0 {
		return append(dst, '-')
	}
	dst = append(strconv.AppendFloat(dst, o.Lanes, 'f', 1, 64), " of "...)
	return append(strconv.AppendInt(dst, int64(f.Snap.Lanes), 10), " a claim"...)
}

// wait is how long tasks of a priority wait to be claimed, on average; ok is false where none waits or none
// was served.
func (f *Frame) wait(p tasks.Priority) (mean time.Duration, ok bool) {
	if f.Occupancy == nil {
		return 0, false
	}
	mean = f.Occupancy.Waits[p].Mean
	return mean, mean > 0
}

// drawWait writes the mean wait of a priority as "~1.2ms".
func (l *Look) drawWait(a cells.Area, x int, f *Frame, p tasks.Priority) {
	mean, ok := f.wait(p)
	if !ok {
		return
	}
	var b [16]byte
	a.Fit(x, 0, units.DurationWidth+1, units.AppendDuration(append(b[:0], '~'), mean), false, l.Glyphs.Ellipsis, theme.Dim)
}
