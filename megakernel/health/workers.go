package health

import (
	"fmt"

	"vyretop/megakernel"
)

// checkWorkers checks the records of the worker table.
func (w *Watch) checkWorkers(s *megakernel.Snapshot) {
	for i := range len(s.WorkerTable) / megakernel.WorkerWords {
		record := s.WorkerTable[i*megakernel.WorkerWords:][:megakernel.WorkerWords]
		slot := record[megakernel.WkSlot]
		switch state := megakernel.WorkerStateOf(record); {
		case state > megakernel.WorkerPaused:
			w.reportWorker(s, "worker.state", i, fmt.Sprintf("its state is %d", uint32(state)), nil, record)
		case slot != megakernel.NoSlot && slot >= uint32(s.NumSlots()) && state == megakernel.WorkerRunning:
			w.reportWorker(s, "worker.slot", i, fmt.Sprintf("it names slot %d of %d", slot, s.NumSlots()), nil, record)
		}
		if b := w.before; b != nil && len(b.WorkerTable) >= (i+1)*megakernel.WorkerWords {
			w.compareWorker(s, i, b.WorkerTable[i*megakernel.WorkerWords:][:megakernel.WorkerWords], record)
		}
	}
}

func (w *Watch) reportWorker(s *megakernel.Snapshot, rule string, i int, detail string, before, record []uint32) {
	w.report(s, subject{rule, workerKind, i}, fmt.Sprintf("worker %d", i), detail, before, record)
}

// compareWorker checks the words of a record that only grow.
func (w *Watch) compareWorker(s *megakernel.Snapshot, i int, before, after []uint32) {
	if at := megakernel.WkHeartbeat; back(before[at], after[at]) {
		w.reportWorker(s, "worker.counter", i, "heartbeat "+wentBack(before[at], after[at]), before, after)
		return
	}
	for c, name := range megakernel.CounterNames {
		if at := megakernel.WkCounts + c; back(before[at], after[at]) {
			w.reportWorker(s, "worker.counter", i, name+" "+wentBack(before[at], after[at]), before, after)
			return
		}
	}
}
