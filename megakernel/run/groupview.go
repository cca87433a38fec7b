package run

import (
	"slices"
	"sync"
	"time"

	"vyretop/megakernel"
	"vyretop/tasks"
)

// joined is the sessions of several devices as one target, whose workers, slots and tasks are those of all, numbered by
// megakernel.Numbering.
type joined struct {
	*group
	reading sync.Mutex // held by Snapshot
	seq     uint64
	log     groupLog
}

// groupLog joins the debug logs: records are numbered in the order in which they are taken, and what was lost before leaves a gap.
type groupLog struct {
	next uint64 // number of the next record
	lost uint64 // records that the numbers have gaps for
}

// TakeLog implements live.Session.
func (g *joined) TakeLog(limit int) (out megakernel.LogBlocks) {
	for i, w := range g.members {
		list := w.TakeLog(max(limit/len(g.members), 1))
		_, lost, _ := g.logCounts()
		g.log.next += lost - min(lost, g.log.lost)
		g.log.lost = lost
		for _, b := range list {
			joined := megakernel.LogBlock{First: g.log.next, Words: slices.Clone(b.Words)}
			for at := 0; at+megakernel.LogRecordWords <= len(joined.Words); at += megakernel.LogRecordWords {
				g.renumber(i, joined.Words[at:])
			}
			out = append(out, joined)
			g.log.next = joined.End()
		}
	}
	return out
}

// renumber gives a record the target's numbers.
func (g *joined) renumber(device int, record []uint32) {
	at := record[megakernel.LogWorker]
	record[megakernel.LogWorker] = at&^0xFFFF | uint32(g.of.Worker(device, int(at&0xFFFF)))&0xFFFF
	record[megakernel.LogTask] = g.of.Task(device, record[megakernel.LogTask])
}

// Snapshot implements live.Session: the snapshots of all devices as one.
func (g *joined) Snapshot() *megakernel.Snapshot {
	g.reading.Lock()
	defer g.reading.Unlock()
	began := time.Now()
	parts := make([]*megakernel.Snapshot, len(g.members))
	for i, w := range g.members {
		if parts[i] = g.lostSnapshot(i); parts[i] == nil {
			parts[i] = w.Session.Snapshot()
		}
	}
	s := g.join(parts)
	g.seq++
	s.Seq, s.Taken, s.CopyTime = g.seq, began.Sub(g.target.Started), time.Since(began)
	_, s.LogLost, s.LogLostKinds = g.logCounts()
	for _, w := range g.members {
		if l := w.lost.Load(); l != nil {
			s.InFlight += l.inFlight
		}
	}
	g.members[0].tell(s)
	return s
}

// join makes one snapshot of those of all devices.
func (g *joined) join(parts []*megakernel.Snapshot) *megakernel.Snapshot {
	first := parts[g.alive()[0]]
	s := &megakernel.Snapshot{Consistent: true, Lanes: first.Lanes, Workgroup: first.Workgroup, Logging: first.Logging, Control: slices.Clone(first.Control)}
	for _, p := range parts {
		s.Consistent = s.Consistent && p.Consistent
		s.TornBy += p.TornBy
		s.Slice += p.Slice
		s.Submitted += p.Submitted
		s.InboxTaken += p.InboxTaken
		s.Completions += p.Completions
		s.LogCursor += p.LogCursor
		for k, n := range p.Counters {
			s.Counters[k] += n
		}
		for k, n := range p.Served {
			s.Served[k] += n
		}
		if p != first {
			addControl(s.Control, p.Control)
		}
		if s.Compiling == (megakernel.Compiling{}) {
			s.Compiling = p.Compiling
		}
		s.Shares = append(s.Shares, megakernel.Share{
			Phase: p.Phase, Submitted: p.Submitted, Done: p.Counters[megakernel.CountDone],
			Faulted: p.Counters[megakernel.CountFaulted], Activations: p.Counters[megakernel.CountActivations],
		})
	}
	s.Phase = joinPhases(s.Shares)
	g.joinWorkers(s, parts)
	g.joinSlots(s, parts)
	return s
}

// joinPhases is what the devices that are not lost do together: what at least one does, in this order.
func joinPhases(shares []megakernel.Share) megakernel.Phase {
	for _, p := range []megakernel.Phase{megakernel.PhaseStarting, megakernel.PhaseDraining, megakernel.PhaseResident, megakernel.PhaseParked, megakernel.PhaseStopped} {
		if slices.ContainsFunc(shares, func(s megakernel.Share) bool { return s.Phase == p }) {
			return p
		}
	}
	return megakernel.PhaseLost
}

// addControl adds the words that the kernel counts in.
func addControl(sum, words []uint32) {
	for i := range min(len(sum), len(words), megakernel.ControlMinWords) {
		if megakernel.CtrlCounts(uint32(i)) {
			sum[i] += words[i]
		}
	}
}

// joinWorkers gives the target the workers of all devices in turn. A device with fewer of them has absent ones.
func (g *joined) joinWorkers(s *megakernel.Snapshot, parts []*megakernel.Snapshot) {
	most := 0
	for _, p := range parts {
		most = max(most, len(p.WorkerTable)/megakernel.WorkerWords)
	}
	s.Workers = most * len(parts)
	s.WorkerTable = make([]uint32, s.Workers*megakernel.WorkerWords)
	for i, p := range parts {
		for w := range most {
			record := s.WorkerTable[g.of.Worker(i, w)*megakernel.WorkerWords:][:megakernel.WorkerWords]
			if (w+1)*megakernel.WorkerWords > len(p.WorkerTable) {
				record[megakernel.WkSlot] = megakernel.NoSlot
				continue
			}
			copy(record, p.WorkerTable[w*megakernel.WorkerWords:])
			record[megakernel.WkSlot] = g.of.Slot(i, record[megakernel.WkSlot])
			if n := record[megakernel.WkStepSlot]; n != 0 {
				record[megakernel.WkStepSlot] = g.of.Slot(i, n-1) + 1
			}
		}
	}
}

// joinSlots puts the slots of the devices behind one another.
func (g *joined) joinSlots(s *megakernel.Snapshot, parts []*megakernel.Snapshot) {
	for i, p := range parts {
		at := len(s.Slots)
		s.Slots = append(s.Slots, p.Slots...)
		for ; at < len(s.Slots); at += tasks.SlotWords {
			for _, word := range [...]int{tasks.WordTaskID, tasks.WordParentTaskID} {
				s.Slots[at+word] = g.of.Task(i, s.Slots[at+word])
			}
		}
	}
}

// Work implements what a hub asks of sessions for rates.
func (g *joined) Work() (done uint64, unit string) {
	s := megakernel.Snapshot{Counters: g.summary().Counters, Progress: g.members[0].progress.exact()}
	return s.Work()
}
