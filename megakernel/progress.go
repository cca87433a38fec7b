package megakernel

import "time"

// UnitTasks is the unit of workloads whose progress is the tasks that have ended.
const UnitTasks = "tasks"

// Progress is how much of the work of a target is done, in the workload's own unit. It never falls
// during a run. The zero value means that nothing is known about it: raw buffers, recordings without
// progress, and targets without a workload have none.
type Progress struct {
	Done  int64  `json:"done"`
	Total int64  `json:"total,omitempty"` // at least Done; 0 while it is not known
	Unit  string `json:"unit"`            // plural, or B for bytes; "" where no progress is known
	// Age is how long before the snapshot it was read: reading it can cost too much to do for each snapshot.
	Age time.Duration `json:"-"`
	// Graph is what the workload searches, where it searches a graph.
	Graph Graph `json:"-"`
}

// Known reports whether there is any progress to show.
func (p Progress) Known() bool { return p.Unit != "" }

// Share is the part of the work that is done, in 0..1; ok is false while the total is not known.
func (p Progress) Share() (share float64, ok bool) {
	if !p.Known() || p.Total <= 0 {
		return 0, false
	}
	return min(max(float64(p.Done)/float64(p.Total), 0), 1), true
}

// Finished reports whether all of the work is done.
func (p Progress) Finished() bool { return p.Known() && p.Total > 0 && p.Done >= p.Total }

// Work is the amount of work done so far by which rates of the same target can be compared, and its unit: the
// workload's progress, or activations where there is none or where it counts only tasks that have ended,
// which stands still while tasks yield.
func (s *Snapshot) Work() (done uint64, unit string) {
	if s.Progress.CountsWork() {
		return uint64(max(s.Progress.Done, 0)), s.Progress.Unit
	}
	return s.Counters[CountActivations], "activations"
}

// CountsWork reports whether it grows while tasks yield, so that rates can be told from it.
func (p Progress) CountsWork() bool { return p.Known() && p.Unit != UnitTasks }

// ReadAt is when the work of a snapshot was read, on the clock of taken, which is when the snapshot was.
func (p Progress) ReadAt(taken time.Duration) time.Duration {
	if p.CountsWork() {
		return taken - p.Age
	}
	return taken
}

// same compares all but when they were read.
func (p Progress) same(before Progress) bool {
	before.Age = p.Age
	return p == before
}
