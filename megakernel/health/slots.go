package health

import (
	"fmt"
	"slices"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// checkSlots looks at the next SlotsPerCheck slots.
func (w *Watch) checkSlots(s *megakernel.Snapshot) {
	n := s.NumSlots()
	if w.from >= n {
		w.from = 0
	}
	w.looked, w.from = w.from, min(w.from+SlotsPerCheck, n)
	for i := w.looked; i < w.from; i++ {
		words := s.Slot(i)
		w.checkWords(s, i, words)
		if w.comparable(s) && i < w.before.NumSlots() {
			w.compareTask(s, i, w.before.Slot(i), words)
		}
	}
}

// comparable reports whether words of two snapshots may be set against each other.
func (w *Watch) comparable(s *megakernel.Snapshot) bool {
	return w.before != nil && s.Consistent && w.before.Consistent
}

// checkWords checks what the words of a slot say by themselves.
func (w *Watch) checkWords(s *megakernel.Snapshot, i int, words *[tasks.SlotWords]uint32) {
	state := words[tasks.WordState]
	if state >= tasks.NumStates {
		w.reportSlot(s, "state.unknown", i, fmt.Sprintf("its state is %d", state), nil, words)
		return
	}
	if live(words) && words[tasks.WordPriority] >= tasks.NumPriorities {
		w.reportSlot(s, "priority.unknown", i, fmt.Sprintf("its priority is %d", words[tasks.WordPriority]), nil, words)
	}
}

func (w *Watch) reportSlot(s *megakernel.Snapshot, rule string, i int, detail string, before []uint32, words *[tasks.SlotWords]uint32) {
	w.report(s, subject{rule, slotKind, i}, fmt.Sprintf("slot %d", i), detail, before, words[:])
}

// live reports whether a slot holds a task that has not ended.
func live(words *[tasks.SlotWords]uint32) bool {
	s := tasks.State(words[tasks.WordState])
	return s != tasks.Empty && s < tasks.NumStates && !s.Terminal()
}

// taskCounters are the words of a task that only grow.
var taskCounters = []int{tasks.WordYieldCount, tasks.WordRequeueCount, tasks.WordAgeTicks}

// compareTask checks what became of the task of a slot.
func (w *Watch) compareTask(s *megakernel.Snapshot, i int, before, after *[tasks.SlotWords]uint32) {
	if *before == *after || !sameTask(before, after) {
		return
	}
	id := after[tasks.WordTaskID]
	was := tasks.State(before[tasks.WordState])
	if was.Terminal() && live(after) {
		detail := fmt.Sprintf("task %s was %s and is %s", megakernel.TaskName(id), was, tasks.State(after[tasks.WordState]))
		w.reportSlot(s, "transition", i, detail, before[:], after)
		return
	}
	if !live(before) || !live(after) {
		return
	}
	c := slices.IndexFunc(taskCounters, func(word int) bool { return after[word] < before[word] })
	if c >= 0 {
		word := taskCounters[c]
		detail := fmt.Sprintf("%s of task %s %s", tasks.WordNames[word], megakernel.TaskName(id), wentBack(before[word], after[word]))
		w.reportSlot(s, "task.counter", i, detail, before[:], after)
	}
}

// sameTask reports whether a slot holds the same task as before.
func sameTask(before, after *[tasks.SlotWords]uint32) bool {
	id := after[tasks.WordTaskID]
	return id != 0 && id == before[tasks.WordTaskID] &&
		!megakernel.OpcodeBuiltin(before[tasks.WordOpcode]) && !megakernel.OpcodeBuiltin(after[tasks.WordOpcode])
}
