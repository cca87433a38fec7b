package inspect

import (
	"slices"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/stats"
	"vyretop/tasks"
)

// family remembers of the tasks in the ring what links their activations: who spawned them, and when they ran last. Its memory
// is bounded by the ring and what happens between two snapshots.
type family struct {
	members map[uint32]*member // by task
	present map[uint32]bool    // in the ring of the newest snapshot
}

// member is a task.
type member struct {
	id          uint32
	parent      uint32 // 0: none is known
	activations int
	first, last time.Duration // begin of the first activation and end of the last one
	worker      int           // of the last one
	lane        uint16
	opcode      uint32
	requeued    bool // the last one ended so
	ended       bool
	faulted     bool
}

func newFamily() *family {
	return &family{members: map[uint32]*member{}, present: map[uint32]bool{}}
}

// see reads the parents of the tasks in a snapshot. It comes before the activations up to that snapshot.
func (f *family) see(s *megakernel.Snapshot) {
	clear(f.present)
	for i := range s.NumSlots() {
		w := s.Slot(i)
		id, parent := w[tasks.WordTaskID], w[tasks.WordParentTaskID]
		if tasks.State(w[tasks.WordState]) == tasks.Empty || id == 0 {
			continue
		}
		f.present[id] = true
		if parent != 0 && parent != id {
			f.of(id).parent = parent
		}
	}
}

func (f *family) of(id uint32) *member {
	m := f.members[id]
	if m == nil {
		m = &member{id: id}
		f.members[id] = m
	}
	return m
}

// ran notes an activation. It is told of the task as it was before.
func (f *family) ran(l *stats.SpanLine) (now *member, before member) {
	m := f.of(l.Task)
	before = *m
	if m.activations++; m.activations == 1 {
		m.first = l.Begin
	}
	kind := megakernel.KindOf(l.Record.Format)
	m.last, m.worker, m.lane, m.opcode = l.End, l.Worker, l.Lane, l.Opcode
	m.requeued, m.faulted = kind == megakernel.EventRequeue, kind == megakernel.EventFault
	m.ended = m.faulted || kind == megakernel.EventDone
	return m, before
}

// forget drops the tasks that have left the ring, and gives each those that ran without their end being logged, in the order of their numbers.
func (f *family) forget(each func(*member)) {
	var left []uint32
	for id := range f.members {
		if !f.present[id] {
			left = append(left, id)
		}
	}
	slices.Sort(left)
	for _, id := range left {
		if m := f.members[id]; m.activations > 0 && !m.ended && each != nil {
			each(m)
		}
		delete(f.members, id)
	}
}
