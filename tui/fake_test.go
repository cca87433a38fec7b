package tui

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/tasks"
)

// fakeTarget is a deterministic stand-in for a running megakernel: a source of snapshots that move
// on by advance, and a sink that carries out commands at once.
type fakeTarget struct {
	mu        sync.Mutex
	rng       *rand.Rand
	snap      megakernel.Snapshot
	log       []megakernel.LogRecord
	events    []megakernel.HostEvent
	updates   chan struct{}
	commands  []megakernel.Command
	shapes    []megakernel.Shape
	result    megakernel.AckResultCode // of the next commands
	err       error
	hold      chan struct{} // when not nil, Do waits for it
	unstarted bool
	settings  megakernel.Settings
	quiet     bool
	ended     uint64
	changes   []megakernel.Change // of the last Apply
	format    string              // of the log's first format; a short one when empty
	breaks    []breakpoint.Status
}

const fakeSlots = 96

func newFake() *fakeTarget {
	f := &fakeTarget{rng: rand.New(rand.NewPCG(7, 7)), updates: make(chan struct{}, 1), result: megakernel.AckApplied}
	control, err := megakernel.EncodeControl(2, 8)
	if err != nil {
		panic(err)
	}
	f.snap = megakernel.Snapshot{
		Phase: megakernel.PhaseResident, Slice: 41, Workers: 4, Lanes: 8, Consistent: true,
		CopyTime: 41 * time.Microsecond, Control: control, Submitted: 1200,
		Slots: make([]uint32, fakeSlots*tasks.SlotWords), WorkerTable: make([]uint32, 4*megakernel.WorkerWords),
		LogLost: 3,
	}
	f.settings = megakernel.Settings{Workers: 4, Lanes: 8, Log: megakernel.LogAll, LogEvery: 1, LogSampling: 1}
	for i := range fakeSlots - 32 {
		f.fillSlot(i)
	}
	f.events = append(f.events, megakernel.HostEvent{Kind: "submit", Text: "1200 tasks"})
	for range 40 {
		f.step()
	}
	return f
}

// happen adds events of the host.
func (f *fakeTarget) happen(list ...megakernel.HostEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events = append(f.events, list...)
}

func (f *fakeTarget) slot(i int) []uint32 {
	return f.snap.Slots[i*tasks.SlotWords:][:tasks.SlotWords]
}

func (f *fakeTarget) fillSlot(i int) {
	w := f.slot(i)
	clear(w)
	w[tasks.WordState] = []uint32{1, 1, 5, 6, 1, 4, 5, 1}[i%8]
	w[tasks.WordOpcode] = 16 + uint32(i%2)
	w[tasks.WordPriority] = []uint32{2, 2, 2, 1, 3, 2, 0, 4}[i%8]
	w[tasks.WordTaskID] = uint32(1000 + i)
	w[tasks.WordContinuationPC] = uint32(i % 5)
	w[tasks.WordContinuationData] = uint32(i * 4096)
	w[tasks.WordYieldCount] = uint32(i % 9)
	if i == 13 {
		w[tasks.WordState], w[tasks.WordContinuationData] = uint32(tasks.Faulted), uint32(megakernel.FaultBudget)
	}
}

// step moves the fake on by 100 ms.
func (f *fakeTarget) step() {
	s := &f.snap
	s.Seq++
	s.Logging = f.settings.Logging()
	s.Taken += 100 * time.Millisecond
	for w := range s.Workers {
		f.stepWorker(w)
	}
	done := uint64(40 + f.rng.IntN(60))
	s.Counters[megakernel.CountDone] += done
	s.Counters[megakernel.CountActivations] += 8 * done
	s.Counters[megakernel.CountFaulted] = 1
	s.Control = append([]uint32(nil), s.Control...)
	s.Control[megakernel.CtrlDoneCount] = uint32(s.Counters[megakernel.CountDone])
	for p := range s.Served {
		s.Served[p] += 8 * done / uint64(p+1)
	}
	s.Control[megakernel.CtrlEpoch] = uint32(s.Seq / 10)
	s.InboxTaken = uint32(s.Submitted)
	f.snap.Slots = append([]uint32(nil), s.Slots...)
	for range 2 {
		f.fillSlot(f.rng.IntN(fakeSlots-32) &^ 7)
	}
	f.addLog()
}

func (f *fakeTarget) worker(w int) []uint32 {
	return f.snap.WorkerTable[w*megakernel.WorkerWords:][:megakernel.WorkerWords]
}

func (f *fakeTarget) stepWorker(w int) {
	f.snap.WorkerTable = append([]uint32(nil), f.snap.WorkerTable...)
	r := f.worker(w)
	if r[megakernel.WkState] == uint32(megakernel.WorkerPaused) {
		r[megakernel.WkHeartbeat] += 100
		return
	}
	slot := uint32(w*8 + 1)
	r[megakernel.WkState] = uint32(megakernel.WorkerRunning)
	r[megakernel.WkSlot] = slot
	if w != 3 {
		r[megakernel.WkHeartbeat] += 1000
	}
	r[megakernel.WkCounts+megakernel.CountActivations] += uint32(100 + f.rng.IntN(50))
	r[megakernel.WkCounts+megakernel.CountDone] += uint32(10 + f.rng.IntN(10))
	r[megakernel.WkCounts+megakernel.CountClaims] += 100
	r[megakernel.WkLaneSum] += 500
	r[megakernel.WkLanes] = uint32(1 + f.rng.IntN(8))
	r[megakernel.WkSlices] = f.snap.Slice
	r[megakernel.WkTicks] += 1000
	r[megakernel.WkHandler] += uint32(600 + 50*w)
	r[megakernel.WkIdle] += uint32(300 - 80*w)
	if w == 2 {
		r[megakernel.WkState], r[megakernel.WkSlot] = uint32(megakernel.WorkerIdle), megakernel.NoSlot
		r[megakernel.WkCounts+megakernel.CountEmpty] += 31_000
		r[megakernel.WkHandler], r[megakernel.WkIdle] = 0, r[megakernel.WkIdle]+800
	}
}

func (f *fakeTarget) addLog() {
	n := uint64(len(f.log))
	rec := megakernel.LogRecord{Number: n, Worker: uint16(n % 4), Task: uint32(1000 + n%64), Opcode: 16, Time: n, ArgCount: 2}
	rec.Time = uint64(f.worker(int(rec.Worker))[megakernel.WkHeartbeat]) - 400
	switch n % 5 {
	case 0:
		rec.Format, rec.Args = 0, [4]uint32{uint32(n * 4096), uint32(n % 7)}
	case 3:
		rec.Format, rec.Args = megakernel.LogEventBase+uint32(megakernel.EventFault), [4]uint32{0x101}
	default:
		rec.Format, rec.Args = megakernel.LogEventBase+uint32(megakernel.EventYield), [4]uint32{uint32(n % 3), uint32(n)}
	}
	f.log = append(f.log, rec)
	f.snap.LogCursor = uint32(len(f.log))
}

// advance moves the fake on and tells the dashboard.
func (f *fakeTarget) advance() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.step()
	f.notify()
}

func (f *fakeTarget) notify() {
	select {
	case f.updates <- struct{}{}:
	default:
	}
}

func (f *fakeTarget) Target() megakernel.Target {
	return megakernel.Target{
		Workload: "fake-scan", Backend: "reference", Renderer: "deterministic stand-in", MaxWorkers: 8, WorkgroupSize: 64,
		Slots: fakeSlots, Formats: []string{cmp.Or(f.format, "at byte %u: %u matches")}, Opcodes: map[uint32]string{16: "scan", 17: "merge"}, Protocol: 1, Clock: "loop iterations",
	}
}

func (f *fakeTarget) Snapshot() *megakernel.Snapshot {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.unstarted {
		return nil
	}
	s := f.snap
	return &s
}

func (f *fakeTarget) Log(after uint64, limit int) []megakernel.LogRecord {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := min(after, uint64(len(f.log)))
	to := min(from+uint64(limit), uint64(len(f.log)))
	return append([]megakernel.LogRecord(nil), f.log[from:to]...)
}

func (f *fakeTarget) Events(after, limit int) []megakernel.HostEvent {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := min(after, len(f.events))
	return append([]megakernel.HostEvent(nil), f.events[from:min(from+limit, len(f.events))]...)
}

func (f *fakeTarget) Updates() <-chan struct{} { return f.updates }

func (f *fakeTarget) Do(ctx context.Context, c megakernel.Command) (megakernel.Ack, error) {
	if f.hold != nil {
		select {
		case <-f.hold:
		case <-ctx.Done():
			return megakernel.Ack{}, ctx.Err()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.commands = append(f.commands, c)
	f.events = append(f.events, megakernel.HostEvent{At: f.snap.Taken, Kind: "command", Text: c.Op.String()})
	if f.err != nil {
		return megakernel.Ack{}, f.err
	}
	ack := megakernel.Ack{Command: c, Result: f.result, Latency: 4100 * time.Nanosecond}
	if f.result == megakernel.AckApplied {
		f.apply(c)
		if word := f.edited(c); word != nil {
			ack.Detail = *word
			if *word != c.Expected {
				ack.Result = megakernel.AckChanged
			} else {
				*word = c.Desired
			}
		}
	}
	f.notify()
	return ack, nil
}

// edited is the word that an edit is about, or nil for other commands.
func (f *fakeTarget) edited(c megakernel.Command) *uint32 {
	switch c.Op {
	case megakernel.OpEditTask:
		return &f.slot(int(c.Slot))[c.Arg]
	case megakernel.OpEditControl:
		f.snap.Control = append([]uint32(nil), f.snap.Control...)
		return &f.snap.Control[c.Arg]
	}
	return nil
}

// Settings implements Tuner.
func (f *fakeTarget) Settings() megakernel.Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settings
}

// Apply implements Tuner.
func (f *fakeTarget) Apply(_ context.Context, list ...megakernel.Setting) ([]megakernel.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes = nil
	for _, s := range list {
		f.changes = append(f.changes, megakernel.Change{Setting: s, Old: f.settings.Get(s.ID, s.Index)})
		if err := f.settings.Set(s); err != nil {
			return nil, err
		}
	}
	return f.changes, f.err
}

// Quiet implements Meter.
func (f *fakeTarget) Quiet(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.quiet = on
}

// Work implements Meter: with every call as much as there are workers, and a fifth more while the terminal has no focus.
func (f *fakeTarget) Work() (done uint64, unit string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := uint64(5 * f.settings.Workers)
	if f.quiet {
		n += n / 5
	}
	f.ended += n
	return f.ended, "samples"
}

// Undo implements Tuner.
func (f *fakeTarget) Undo(context.Context) ([]megakernel.Change, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var undone []megakernel.Change
	for _, c := range f.changes {
		back := megakernel.Setting{ID: c.ID, Index: c.Index, Value: c.Old}
		undone = append(undone, megakernel.Change{Setting: back, Old: c.Value})
		if err := f.settings.Set(back); err != nil {
			return nil, err
		}
	}
	return undone, f.err
}

func (f *fakeTarget) apply(c megakernel.Command) {
	f.snap.WorkerTable = append([]uint32(nil), f.snap.WorkerTable...)
	f.snap.Slots = append([]uint32(nil), f.snap.Slots...)
	f.snap.Seq++
	switch c.Op {
	case megakernel.OpPauseWorker, megakernel.OpResumeWorker:
		f.setWorker(int(c.Worker), c.Op == megakernel.OpPauseWorker)
	case megakernel.OpPauseAll, megakernel.OpResumeAll:
		for w := range f.snap.Workers {
			f.setWorker(w, c.Op == megakernel.OpPauseAll)
		}
	case megakernel.OpStepWorker:
		f.stepSlot(int(c.Worker))
	case megakernel.OpPauseTask:
		f.slot(int(c.Slot))[tasks.WordState] = uint32(tasks.Paused)
	case megakernel.OpRequeueTask:
		w := f.slot(int(c.Slot))
		w[tasks.WordState], w[tasks.WordPriority] = uint32(tasks.Requeued), c.Arg
		w[tasks.WordRequeueCount]++
	}
}

func (f *fakeTarget) setWorker(w int, paused bool) {
	state := megakernel.WorkerRunning
	if paused {
		state = megakernel.WorkerPaused
	}
	f.worker(w)[megakernel.WkState] = uint32(state)
}

func (f *fakeTarget) stepSlot(w int) {
	r, slot := f.worker(w), w*8+1
	copy(r[megakernel.WkStepBefore:], f.slot(slot))
	words := f.slot(slot)
	words[tasks.WordState] = uint32(tasks.Yielded)
	words[tasks.WordContinuationData] += 4096
	words[tasks.WordYieldCount]++
	words[tasks.WordFlags] = tasks.FlagYielded
	copy(r[megakernel.WkStepAfter:], words)
	r[megakernel.WkStepSlot] = uint32(slot) + 1
}

func (f *fakeTarget) Retune(_ context.Context, s megakernel.Shape) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shapes = append(f.shapes, s)
	if f.err != nil {
		return f.err
	}
	table := make([]uint32, s.Workers*megakernel.WorkerWords)
	copy(table, f.snap.WorkerTable)
	f.snap.Workers, f.snap.Lanes, f.snap.WorkerTable = s.Workers, s.Lanes, table
	f.snap.Slice++
	f.snap.Seq++
	f.events = append(f.events, megakernel.HostEvent{At: f.snap.Taken, Kind: "retune", Text: fmt.Sprintf("%d x %d", s.Workers, s.Lanes)})
	f.notify()
	return nil
}

// sent is the commands that arrived so far.
func (f *fakeTarget) sent() []megakernel.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]megakernel.Command(nil), f.commands...)
}

// fakeTransport is a recording's player whose clock only moves when told to.
type fakeTransport struct {
	at, end time.Duration
	playing bool
	speed   float64
	steps   int
}

func (t *fakeTransport) Play()                             { t.playing = true }
func (t *fakeTransport) Pause()                            { t.playing = false }
func (t *fakeTransport) Playing() bool                     { return t.playing }
func (t *fakeTransport) Speed() float64                    { return t.speed }
func (t *fakeTransport) SetSpeed(v float64)                { t.speed = v }
func (t *fakeTransport) Position() (at, end time.Duration) { return t.at, t.end }
func (t *fakeTransport) Seek(at time.Duration)             { t.at = at }
func (t *fakeTransport) Step(n int)                        { t.steps += n }
