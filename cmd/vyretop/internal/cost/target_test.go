package cost

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/remote"
	"vyretop/tasks"
)

// What the stand-in has, and how long it has been running: charts are in their coarsest steps.
const (
	age     = 10 * time.Minute
	slots   = 4096
	workers = 8
	logged  = 12 // records between two snapshots
)

// standIn is a target of which a tenth of the slots changes with every snapshot.
type standIn struct {
	live.Session // nothing steers it

	mu    sync.Mutex
	rng   *rand.Rand
	snap  megakernel.Snapshot
	log   uint64
	tasks uint32 // that were given
	still bool   // parked: nothing changes but the clock
	begun time.Time
}

func newStandIn() *standIn {
	t := &standIn{rng: rand.New(rand.NewPCG(1, 2)), begun: time.Now().Add(-age)}
	control, _ := megakernel.EncodeControl(workers, 64)
	t.snap = megakernel.Snapshot{
		Consistent: true, Phase: megakernel.PhaseResident, Slice: 1, Workers: workers, Lanes: 8, Submitted: slots, InboxTaken: slots,
		Control: control, Slots: make([]uint32, slots*tasks.SlotWords), WorkerTable: make([]uint32, workers*megakernel.WorkerWords),
		CopyTime: 40 * time.Microsecond,
	}
	for i := range slots {
		t.fill(t.snap.Slot(i))
	}
	return t
}

// states are what tasks are in.
var states = [...]tasks.State{tasks.Ready, tasks.Ready, tasks.Running, tasks.Yielded, tasks.Requeued, tasks.Done}

// fill is what became of a slot: its task went on, or a new one came after it had ended.
func (t *standIn) fill(w *[tasks.SlotWords]uint32) {
	if old := tasks.State(w[tasks.WordState]); old == tasks.Empty || old == tasks.Done {
		t.tasks++
		clear(w[:])
		w[tasks.WordTaskID] = t.tasks
		w[tasks.WordOpcode] = 16 + t.rng.Uint32N(3)
		w[tasks.WordPriority] = t.rng.Uint32N(tasks.NumPriorities)
	}
	w[tasks.WordState] = uint32(states[t.rng.IntN(len(states))])
	w[tasks.WordContinuationData] += 4096
	w[tasks.WordYieldCount]++
}

// Snapshot implements live.Session.
func (t *standIn) Snapshot() *megakernel.Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.snap
	s.Seq++
	s.Taken = time.Since(t.begun)
	if !t.still {
		t.change(&s)
	}
	t.snap = s
	return &s
}

// change is what the device did since the last snapshot, whose memory is not touched.
func (t *standIn) change(s *megakernel.Snapshot) {
	s.Slots = append([]uint32(nil), s.Slots...)
	s.Control = append([]uint32(nil), s.Control...)
	s.WorkerTable = append([]uint32(nil), s.WorkerTable...)
	for range slots / 10 {
		t.fill(s.Slot(t.rng.IntN(slots)))
	}
	for w := range workers {
		r := s.WorkerTable[w*megakernel.WorkerWords:]
		r[megakernel.WkState] = uint32(megakernel.WorkerRunning)
		r[megakernel.WkSlot] = t.rng.Uint32N(slots)
		r[megakernel.WkHeartbeat] += 1000 + t.rng.Uint32N(100)
		r[megakernel.WkLaneSum] += 400
		r[megakernel.WkCounts+megakernel.CountClaims] += 60
		r[megakernel.WkCounts+megakernel.CountActivations] += 400
		r[megakernel.WkCounts+megakernel.CountDone] += 50
	}
	s.Counters[megakernel.CountActivations] += 400 * workers
	s.Counters[megakernel.CountDone] += 50 * workers
	s.Control[megakernel.CtrlDoneCount] = uint32(s.Counters[megakernel.CountDone])
	s.Control[megakernel.CtrlEpoch]++
	s.LogCursor += logged
}

// TakeLog implements live.Session.
func (t *standIn) TakeLog(int) megakernel.LogBlocks {
	var dst []megakernel.LogRecord
	t.mu.Lock()
	defer t.mu.Unlock()
	for ; t.log < uint64(t.snap.LogCursor); t.log++ {
		dst = append(dst, megakernel.LogRecord{
			Number: t.log, Worker: uint16(t.log % workers), Task: uint32(t.log % slots), Opcode: 16, Format: uint32(t.log % 2), ArgCount: 2, Args: [4]uint32{uint32(t.log), 7},
		})
	}
	return megakernel.BlocksOf(dst)
}

// Settings implements live.Session.
func (t *standIn) Settings() megakernel.Settings {
	return megakernel.Settings{Workers: workers, Lanes: 8}
}

// rest lets nothing change any longer but the clock.
func (t *standIn) rest() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.still, t.snap.Phase = true, megakernel.PhaseParked
}

// become changes the phase.
func (t *standIn) become(phase megakernel.Phase) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.snap.Phase = phase
}

// serve lets programs attach to the target, with the environment that it returns, and gives the directory of its
// socket.
func (t *standIn) serve(tb testing.TB) (env []string, dir string) {
	tb.Helper()
	runtime := tb.TempDir()
	env = []string{"XDG_RUNTIME_DIR=" + runtime}
	dir = remote.Dir(env)
	target := megakernel.Target{
		Workload: "stand-in", Backend: "none", Renderer: "a stand-in", MaxWorkers: workers, WorkgroupSize: 64, Slots: slots, Protocol: 1, Started: t.begun,
		Formats: []string{"at byte %u: %u matches", "went on at %u for the %uth time"}, Opcodes: map[uint32]string{16: "scan", 17: "merge", 18: "sort"},
	}
	hub := live.New(t, target, live.Options{})
	s, err := remote.Listen(hub, fixtures.Header{Target: target, Host: "a stand-in"}, remote.Options{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); hub.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		<-ended
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	return env, dir
}
