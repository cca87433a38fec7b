package resident

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Session is one running megakernel. Its methods may be called from any goroutine.
type Session struct {
	backend  engine.Backend
	profile  engine.DeviceProfile
	kernel   *kernel.Kernel
	full     fullKernel
	bindings []engine.Binding
	buffers  map[string]engine.Buffer
	options  Options
	limits   limits
	started  time.Time

	formMu   sync.Mutex // one change of form at a time
	wanted   *form      // the form of the last change; guarded by formMu
	variants variants
	form     atomic.Pointer[form] // what slices run; only the slicer changes it,
	nextForm atomic.Pointer[form] // into this, when somebody asks

	control, ring, log, inbox, outbox, workers engine.Words

	slots         engine.Words // what the host sees of the slots: the ring itself, or its mirror
	changes       changes
	mirrorMu      sync.Mutex // one request for the mirror at a time
	fetched       uint32     // slice after which the slicer has brought the mirror up to date
	fetchedStarts uint32     // and what starts() was then

	queue  queue
	roomMu sync.Mutex // one look for room at a time, and none after the buffers are freed

	breaks     breakState
	breakSteps uint32 // of their program; of the slicer alone

	collectMu sync.Mutex
	collected atomic.Uint64 // completions, ever

	commandMu sync.Mutex
	commands  uint32                              // published
	awaited   [megakernel.CommandRing]atomic.Bool // by entry: somebody waits for the answer
	paused    pauseState
	io        pageIO

	reads    bufferReads
	wake     chan struct{} // 1 deep: something new for a parked slicer
	tuning   tuning
	sampling sampling
	phase    atomic.Uint32
	slice    atomic.Uint32
	draining atomic.Bool
	stopping atomic.Bool
	closed   func() error  // what Close does, once
	ended    chan struct{} // closed when the slicer has returned
	failure  error         // why, valid once ended is closed
	changed  *signal       // fires when the phase changes or a slice starts or ends
	countMu  sync.Mutex
	counted  [megakernel.NumCounters]uint64 // the counters at the end of the last slice
	lastDone uint32                         // of the slicer: sum of what the target had done when it was last seen to do something
	lastBusy time.Time
	snaps    atomic.Uint64
	events   func(kind, text string)

	faults      faultNotes
	undefinedMu sync.Mutex
	undefined   []engine.Undefined // executed so far, one for each place
}

// Start compiles the kernel, allocates and fills the buffers, and launches the first slice. The
// session lives until Close, whatever becomes of ctx.
func Start(ctx context.Context, b engine.Backend, k *kernel.Kernel, o Options) (*Session, error) {
	profile := b.Profile()
	o.setDefaults(k, profile)
	if err := o.validate(k, profile); err != nil {
		return nil, err
	}
	lim, err := sliceLimits(&o, k, profile)
	if err == nil {
		err = checkBudget(o.Pages, lim)
	}
	if err != nil {
		return nil, err
	}
	s := &Session{
		backend: b, profile: profile, kernel: k, options: o, limits: lim,
		buffers: map[string]engine.Buffer{}, started: time.Now(),
		wake: make(chan struct{}, 1), ended: make(chan struct{}), changed: newSignal(),
		events: o.Events,
	}
	s.closed = sync.OnceValue(s.end)
	s.tuning.now = o.initial()
	s.tuning.next = s.tuning.now
	if err = s.prepare(ctx); err == nil {
		err = s.warmUp()
	}
	if err == nil && len(o.First) > 0 {
		err = s.Publish(ctx, o.First)
	}
	if err != nil {
		s.free()
		return nil, err
	}
	s.started = time.Now()
	s.startIO()
	s.full.running.Store(true)
	go s.slicer()
	return s, nil
}

// warmUp runs a first slice that ends at once: many drivers compile a kernel only when it is first
// dispatched, and that time is not part of the run.
func (s *Session) warmUp() error {
	s.inbox.Store(megakernel.InboxEndSlice, 1)
	return s.runSlice()
}

// Target describes what runs, for inspectors and recordings.
func (s *Session) Target() megakernel.Target {
	id := s.backend.Identity()
	ops := map[uint32]string{}
	for _, h := range s.kernel.Config.Handlers {
		ops[h.Opcode] = h.Name
	}
	return megakernel.Target{
		Workload: s.kernel.Config.Name, Backend: id.Name, Renderer: id.Renderer, Driver: id.Driver,
		MaxWorkers: megakernel.MaxWorkers, WorkgroupSize: s.kernel.Config.WorkgroupSize, MaxLanes: s.mostLanes(),
		Slots: s.kernel.Config.Slots, Formats: s.formats(), Opcodes: ops,
		Clock:    s.kernel.ClockName(),
		Label:    s.options.Label,
		Protocol: megakernel.ProtocolVersion, Started: s.started, Buffers: s.Buffers(),
		Device: deviceFacts(&s.profile), Kernel: kernelText(s),
	}
}

// kernelText is what the kernel was assembled from, packed; an error is told as an event.
func kernelText(s *Session) []byte {
	text, err := s.kernel.Text()
	if err != nil {
		s.events("error", err.Error())
		return nil
	}
	packed, err := text.Pack()
	if err != nil {
		s.events("error", err.Error())
	}
	return packed
}

func deviceFacts(p *engine.DeviceProfile) megakernel.DeviceFacts {
	atOnce := p.ConcurrentWorkgroups
	if p.HostThreads.Or(0) > 0 { // groups that are resident at once take turns on these
		atOnce = p.HostThreads
	}
	return megakernel.DeviceFacts{
		VectorWidth: int(p.VectorWidth.Or(p.SubgroupSize.Or(0))), ComputeUnits: int(p.ComputeUnits.Or(0)),
		AtOnce: int(atOnce.Or(0)), Software: p.SoftwareDevice.Or(false), MemoryBytes: p.DeviceMemoryBytes.Or(0),
	}
}

// Buffer returns the mapped words of one of the workload's buffers, or nil when there is none of
// that name or it is not host-visible.
func (s *Session) Buffer(name string) engine.Words {
	if b, ok := s.buffers[name]; ok {
		return b.Words()
	}
	return nil
}

// Log returns a new reader of the debug log, from the oldest record still there.
func (s *Session) Log() (*megakernel.LogReader, error) { return megakernel.NewLogReader(s.log) }

// Epoch is the target's epoch.
func (s *Session) Epoch() uint32 { return s.control.Load(megakernel.CtrlEpoch) }

// AdvanceEpoch asks for the next epoch, which resumes tasks that wait for it.
func (s *Session) AdvanceEpoch(context.Context) error {
	if err := s.usable("advance the epoch"); err != nil {
		return err
	}
	s.inbox.Add(megakernel.InboxEpochs, 1)
	s.wakeUp()
	return nil
}

// Phase says what the session is doing.
func (s *Session) Phase() megakernel.Phase { return megakernel.Phase(s.phase.Load()) }

// Stop ends the megakernel at the next boundary; what is queued stays queued. It waits for the end.
func (s *Session) Stop(ctx context.Context) error {
	s.stopping.Store(true)
	s.queue.close()
	s.endSlice()
	s.wakeUp()
	select {
	case <-s.ended:
		return s.failure
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close stops the megakernel and frees its buffers. The session cannot be used afterwards; closing it again
// gives the first answer.
func (s *Session) Close() error { return s.closed() }

func (s *Session) end() error {
	err := s.Stop(context.Background())
	s.queue.settle()
	s.roomMu.Lock()
	defer s.roomMu.Unlock()
	s.reads.open.Lock()
	defer s.reads.open.Unlock()
	s.free()
	return err
}

// Err is why the session ended early, or nil.
func (s *Session) Err() error {
	select {
	case <-s.ended:
		return s.failure
	default:
		return nil
	}
}

func (s *Session) usable(op string) error {
	select {
	case <-s.ended:
		return gone(op, s.Phase(), ErrStopped, s.failure)
	default:
	}
	if s.stopping.Load() {
		return gone(op, s.Phase(), ErrStopped, nil)
	}
	return nil
}

// wakeUp wakes a parked slicer. A running kernel sees the bell words by itself.
func (s *Session) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// endSlice asks the running slice to end at its next boundary.
func (s *Session) endSlice() { s.inbox.Store(megakernel.InboxEndSlice, s.slice.Load()) }

func (s *Session) free() {
	s.freeForms()
	for _, b := range s.bindings {
		_ = b.Buffer.Free()
	}
	s.bindings = nil
}

// slotWords is slot i as the host sees it.
func (s *Session) slotWords(i int) engine.Words { return s.slots[i*tasks.SlotWords:][:tasks.SlotWords] }
