package resident_test

import (
	"fmt"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// busy loops as often as its param says, for ever, with divisions, so that most of the time is the loop's also in slices that
// are short because the device limits loops.
const busy = `
void work(inout Task t) {
    uint n = 0u;
    while (n < t.param) { t.output_handle += t.output_handle / (n + 1u) + t.param % (t.output_handle | 1u); n++; }
    task_yield(t, 0u, 0u);
}
`

// shares is what worker 0 spent since a record of it: of a hundred, in handlers and idle.
func shares(t *testing.T, s *resident.Session, from megakernel.Worker) (handlers, idle uint32) {
	t.Helper()
	to := s.Snapshot().WorkerRecords()[0]
	all := uint64(to.Ticks - from.Ticks)
	if all == 0 {
		t.Fatalf("no time was counted\n%s", describe(s))
	}
	return uint32(uint64(to.Handlers-from.Handlers) * 100 / all), uint32(uint64(to.Idle-from.Idle) * 100 / all)
}

// TestWorkersTellWhatTheirTimeIsSpentOn: an idle one looks for work, and one with long handlers is in them.
func TestWorkersTellWhatTheirTimeIsSpentOn(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		k := shared(t, b)
		wrong := ""
		for range 20 { // other processes that had the processor in the meantime are in the times, too
			if wrong = spentWrongly(t, b, k); wrong == "" {
				return
			}
		}
		t.Error(wrong)
	})
}

// spentWrongly is what is wrong with what a worker tells, first without tasks and then with long handlers.
func spentWrongly(t *testing.T, b engine.Backend, k *kernel.Kernel) string {
	t.Helper()
	s := start(t, b, k, resident.Options{Workers: 1, Activation: 1900, Iterations: 40_000})
	if s.Target().Clock == "" {
		t.Error("the target does not say what it counts")
	}
	if err := s.AwaitRest(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if handlers, idle := shares(t, s, megakernel.Worker{}); idle < 60 || handlers > 10 {
		return fmt.Sprintf("without tasks: %d %% in handlers, %d %% idle", handlers, idle)
	}
	publish(t, s, of(opBusy, work(64, func(_ int, t *tasks.Task) { t.Param = 1800 })))
	awaitImport(t, s)
	from := s.Snapshot() // and then that many slices that others may have the processor for some of them
	if err := s.AwaitSlice(deadline(t), from.Slice+64); err != nil {
		t.Fatal(err)
	}
	if handlers, idle := shares(t, s, from.WorkerRecords()[0]); handlers < 40 || idle > 20 {
		return fmt.Sprintf("with long handlers: %d %% in handlers, %d %% idle", handlers, idle)
	}
	return ""
}

func TestQuietKernelsCountNoTimes(t *testing.T) {
	backendtest.OnEachVariant(t, func(t *testing.T, b engine.Backend) {
		k := assembleWith(t, b, kernel.Config{WorkgroupSize: 8, NoEvents: true}, busy, "work")
		s := start(t, b, k, resident.Options{Workers: 1, Activation: 1000})
		publish(t, s, work(64, nil))
		awaitImport(t, s)
		if w := s.Snapshot().WorkerRecords()[0]; w.Ticks != 0 || s.Target().Clock != "" {
			t.Errorf("%d ticks of %q", w.Ticks, s.Target().Clock)
		}
	})
}

func TestWorkersTellTheUnitThatTheyAreOn(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		p := b.Profile()
		s := start(t, b, shared(t, b), resident.Options{Workers: 4})
		if err := s.AwaitRest(deadline(t)); err != nil {
			t.Fatal(err)
		}
		_, known := p.DeviceUnit.Get()
		for i, w := range s.Snapshot().WorkerRecords() {
			if known != (w.Unit != 0) || w.Unit > p.ComputeUnits.Or(0) {
				t.Errorf("worker %d is on unit word %d, of %d units; can it be known: %v", i, w.Unit, p.ComputeUnits.Or(0), known)
			}
		}
	})
}
