package resident

import (
	"context"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// estate is what a session leaves to the one that follows it.
type estate struct {
	slots   []uint32     // words of the slots; a slot that nobody goes on with is empty
	inbox   []tasks.Task // published, and in no slot
	control []uint32
	epoch   uint32
	nextID  uint32
	spawned uint32 // ids of spawned tasks given so far
}

// salvage reads what the host can see of a kernel that runs no more.
func (s *Session) salvage() (*estate, Recovered) {
	report := Recovered{Completions: s.Poll(nil)}
	e := &estate{
		slots: load(s.slots, s.kernel.Config.Slots*tasks.SlotWords), control: load(s.control, len(s.control)),
		nextID: s.queue.number(s.queue.count(), 0), spawned: s.outbox.Load(megakernel.OutCounters + megakernel.CountSpawned),
	}
	e.epoch = s.Epoch() + s.inbox.Load(megakernel.InboxEpochs) - s.epochsSeen()
	stale := s.kernel.Config.Mirror && s.fetchedStarts != s.starts()
	here := map[uint32]bool{} // ids of tasks that a slot has, or had last
	notifying := 0            // tasks of which a completion is still to come
	for i := range s.kernel.Config.Slots {
		words := (*[tasks.SlotWords]uint32)(e.slots[i*tasks.SlotWords:])
		t := tasks.FromWords(words)
		here[t.TaskID] = t.State != tasks.Empty || here[t.TaskID]
		if t.TaskID >= megakernel.SpawnedIDBase {
			e.spawned = max(e.spawned, t.TaskID-megakernel.SpawnedIDBase)
		}
		if t.State == tasks.Empty || t.State.Terminal() {
			*words = [tasks.SlotWords]uint32{}
			continue
		}
		if t.Flags&tasks.FlagNotify != 0 {
			notifying++
		}
		if t.State == tasks.Running || t.State > tasks.Faulted || stale {
			report.Interrupted = append(report.Interrupted, t)
			*words = [tasks.SlotWords]uint32{}
			continue
		}
		report.Queued++
	}
	e.inbox = s.unimported(here)
	report.Inbox = len(e.inbox)
	report.Unreported = max(0, s.InFlight()-notifying-report.Inbox)
	return e, report
}

// unimported returns the tasks in the inbox that no slot has. An import that was cut off may have
// copied tasks without having said so.
func (s *Session) unimported(here map[uint32]bool) (ts []tasks.Task) {
	mask := uint32(s.kernel.Config.InboxTasks - 1)
	for n := s.outbox.Load(megakernel.OutTasksTaken); n != s.queue.bell(); n++ {
		var w [tasks.SlotWords]uint32
		s.inbox.CopyTo(w[:], megakernel.InboxEntries+int(n&mask)*megakernel.InboxEntryWords)
		if t := tasks.FromWords(&w); !here[t.TaskID] {
			ts = append(ts, t)
		}
	}
	return ts
}

// restore fills the buffers of a session that has not launched yet.
func (e *estate) restore(ctx context.Context, s *Session) error {
	if s.options.Pages != nil {
		e.epoch++ // no page is there, and no request for one: who waits must ask again
	}
	e.control[megakernel.CtrlEpoch] = e.epoch
	e.control[megakernel.CtrlDoneCount] = 0
	s.control.CopyFrom(0, e.control)
	sched := initialSched(s.kernel.Layout, e.control, s.quotaFactor(e.control))
	sched[megakernel.SchedEpoch], sched[megakernel.SchedSwept] = e.epoch, e.epoch-1 // look at the parked tasks
	sched[megakernel.SchedSpawnID] = e.spawned + 1
	for i := range s.kernel.Config.Slots {
		t := tasks.FromWords((*[tasks.SlotWords]uint32)(e.slots[i*tasks.SlotWords:]))
		if set := waitsIn(&t); set != megakernel.SetFree {
			move(sched, s.kernel.Layout, i, set)
			s.restored++
			if t.Flags&tasks.FlagNotify != 0 {
				s.inherited++
			}
		}
	}
	if err := s.buffers["sched"].Upload(ctx, 0, sched); err != nil {
		return err
	}
	s.slots.CopyFrom(0, e.slots)
	s.queue.skipped.Store(uint64(e.nextID - 1))
	if len(e.inbox) > 0 {
		from, n := s.reserve(len(e.inbox))
		s.put(from, e.inbox[:n])
	}
	return s.buffers["ring"].Upload(ctx, 0, e.slots)
}

// waitsIn is the set where a task that does not run waits, as vt_home of outcome.glsl has it. One whose
// tenant may not run is found out when it is claimed.
func waitsIn(t *tasks.Task) int {
	switch {
	case t.State == tasks.Empty:
		return megakernel.SetFree
	case t.State == tasks.Paused && t.ResumeEpoch == megakernel.HeldEpoch:
		return megakernel.SetResting
	case t.State == tasks.Paused:
		return megakernel.SetParked
	}
	return megakernel.SetReady0 + int(min(t.Priority, tasks.NumPriorities-1))
}

// move takes a slot out of the free set and puts it into another one, with its summaries.
func move(sched []uint32, l megakernel.SchedLayout, slot, set int) {
	leaf, region := slot/32, slot/megakernel.RegionSlots
	sched[l.Set(megakernel.SetFree)+l.LeafOffset()+leaf] &^= 1 << (slot % 32)
	words := sched[l.Set(set):]
	words[l.LeafOffset()+leaf] |= 1 << (slot % 32)
	words[megakernel.SetMid+region] |= 1 << (leaf % 32)
	words[megakernel.SetTop+region/32] |= 1 << (region % 32)
	sched[megakernel.SchedApex] |= 1 << set
}
