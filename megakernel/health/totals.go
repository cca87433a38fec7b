package health

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// controlCounters are the runs of control words that only grow: first word and number.
var controlCounters = [][2]int{
	{megakernel.CtrlDoneCount, 1}, {megakernel.CtrlTenantFair0, megakernel.Tenants}, {megakernel.CtrlMetrics0, megakernel.MetricOpcodes},
	{megakernel.CtrlEpoch, 1}, {megakernel.CtrlStarvation, 1}, {megakernel.CtrlPriorityFair0, tasks.NumPriorities},
}

// checkTotals checks what only grows over the life of a target.
func (w *Watch) checkTotals(s *megakernel.Snapshot) {
	w.checkControl(s)
	b := w.before
	for i, name := range megakernel.CounterNames {
		w.checkTotal(s, i, name, b.Counters[i], s.Counters[i])
	}
	w.checkTotal(s, megakernel.NumCounters, "submitted", b.Submitted, s.Submitted)
	for i, t := range []struct {
		name          string
		before, after uint32
	}{{"inbox entries taken", b.InboxTaken, s.InboxTaken}, {"completions", b.Completions, s.Completions}, {"log records", b.LogCursor, s.LogCursor}, {"slices", b.Slice, s.Slice}} {
		if back(t.before, t.after) {
			w.report(s, subject{"total", targetKind, megakernel.NumCounters + 1 + i}, t.name, wentBack(t.before, t.after), []uint32{t.before}, []uint32{t.after})
		}
	}
	if n := s.Counters[megakernel.CountViolations]; n > b.Counters[megakernel.CountViolations] {
		detail := fmt.Sprintf("it found %d slots in a state that they must not have", n-b.Counters[megakernel.CountViolations])
		w.report(s, subject{"device", targetKind, int(n)}, "violations", detail, nil, []uint32{uint32(n)})
	}
}

func (w *Watch) checkTotal(s *megakernel.Snapshot, i int, name string, before, after uint64) {
	if after < before {
		w.report(s, subject{"total", targetKind, i}, name, fmt.Sprintf("went back from %d to %d", before, after), []uint32{uint32(before)}, []uint32{uint32(after)})
	}
}

// checkControl checks the words of the control buffer.
func (w *Watch) checkControl(s *megakernel.Snapshot) {
	before, after := w.before.Control, s.Control
	if len(after) < megakernel.ControlMinWords || len(before) < megakernel.ControlMinWords {
		return
	}
	if base := after[megakernel.CtrlTenantBase]; base != megakernel.CtrlTenantMask0 {
		w.reportWord(s, "control.base", megakernel.CtrlTenantBase, fmt.Sprintf("is %d, not %d", base, megakernel.CtrlTenantMask0))
	}
	for _, run := range controlCounters {
		for i := run[0]; i < run[0]+run[1]; i++ {
			if back(before[i], after[i]) {
				w.reportWord(s, "control.counter", i, wentBack(before[i], after[i]))
			}
		}
	}
}

func (w *Watch) reportWord(s *megakernel.Snapshot, rule string, i int, detail string) {
	w.report(s, subject{rule, wordKind, i}, megakernel.ControlWordName(i), detail, w.before.Control[i:i+1], s.Control[i:i+1])
}

// checkSums adds up the tasks of a target at rest.
func (w *Watch) checkSums(s *megakernel.Snapshot) {
	if !w.atRest(s) {
		return
	}
	states, _ := s.StateCounts()
	alive := uint64(0)
	for state, n := range states[:tasks.NumStates] {
		if t := tasks.State(state); t != tasks.Empty && !t.Terminal() {
			alive += uint64(n)
		}
	}
	c := &s.Counters
	given := c[megakernel.CountImported] + c[megakernel.CountSpawned]
	ended := c[megakernel.CountDone] + c[megakernel.CountFaulted]
	if given != ended+alive {
		detail := fmt.Sprintf("%d were imported and %d spawned, but %d are done, %d faulted and %d live",
			c[megakernel.CountImported], c[megakernel.CountSpawned], c[megakernel.CountDone], c[megakernel.CountFaulted], alive)
		w.report(s, subject{"sum.tasks", targetKind, 0}, "tasks", detail, nil, nil)
	}
	kept := c[megakernel.CountFaulted] - c[megakernel.CountReaped]
	if n := uint64(states[tasks.Faulted]); n != kept {
		detail := fmt.Sprintf("%d slots are faulted, but %d tasks faulted and %d were reaped", n, c[megakernel.CountFaulted], c[megakernel.CountReaped])
		w.report(s, subject{"sum.faulted", targetKind, 0}, "faulted slots", detail, nil, nil)
	}
}

// atRest reports whether a target is parked and nothing has moved since the snapshot before.
func (w *Watch) atRest(s *megakernel.Snapshot) bool {
	b := w.before
	return s.Phase == megakernel.PhaseParked && b.Phase == megakernel.PhaseParked && s.Consistent && b.Consistent &&
		s.Slice == b.Slice && s.Counters == b.Counters && s.Submitted == b.Submitted && s.InboxTaken == uint32(s.Submitted)
}
