package pane

import (
	"fmt"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// Track is something whose events can be gone through: it has one wherever what Of says of a snapshot is another
// than of the snapshot before.
type Track struct {
	Name string
	Of   func(*megakernel.Snapshot) [4]uint32
}

// workerTrack has an event wherever a worker was seen in another state, or with another task.
func workerTrack(id int) Track {
	return Track{fmt.Sprintf("worker %d", id), func(s *megakernel.Snapshot) (out [4]uint32) {
		if id < 0 || (id+1)*megakernel.WorkerWords > len(s.WorkerTable) {
			return out
		}
		r := s.WorkerTable[id*megakernel.WorkerWords:][:megakernel.WorkerWords]
		out = [4]uint32{r[megakernel.WkState], r[megakernel.WkSlot]}
		if slot := r[megakernel.WkSlot]; slot < uint32(s.NumSlots()) {
			w := s.Slot(int(slot))
			out[2], out[3] = w[tasks.WordTaskID], w[tasks.WordOpcode]
		}
		return out
	}}
}

// taskTrack has an event wherever a task has another state, place of continuation or number of requeues; one that is
// gone stays so.
func taskTrack(id uint32, slot int) Track {
	return Track{"task " + megakernel.TaskName(id), func(s *megakernel.Snapshot) [4]uint32 {
		f := Frame{Snap: s}
		slot, ok := f.FindTask(id, slot)
		if !ok {
			return [4]uint32{}
		}
		w := s.Slot(slot)
		return [4]uint32{w[tasks.WordState], w[tasks.WordContinuationPC], w[tasks.WordRequeueCount], 1}
	}}
}

// slotTrack has an event wherever a slot has another task or state.
func slotTrack(slot int) Track {
	return Track{fmt.Sprintf("slot %d", slot), func(s *megakernel.Snapshot) [4]uint32 {
		if slot < 0 || slot >= s.NumSlots() {
			return [4]uint32{}
		}
		w := s.Slot(slot)
		return [4]uint32{w[tasks.WordState], w[tasks.WordTaskID], w[tasks.WordContinuationPC]}
	}}
}

// wordTrack has an event wherever a word changes.
func wordTrack(at WordAt) Track {
	return Track{at.String(), func(s *megakernel.Snapshot) [4]uint32 {
		f := Frame{Snap: s}
		v, _ := f.Word(at)
		return [4]uint32{v}
	}}
}
