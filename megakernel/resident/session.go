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
	launch
	life
	publisher // apart from the collector: each writes words that the other seldom needs
	forms
	commander
	slotView
	reads

	tuning
	breakpoints
	slicer
	tally
	notes
	collector

	io     pageIO
	snaps  atomic.Uint64
	closed func() error // what Close does, once
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
	s := newSession(launch{
		backend: b, profile: profile, kernel: k, options: o, limits: lim,
		buffers: map[string]engine.Buffer{}, started: time.Now(), events: o.Events, texts: newTexts(k),
	})
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
	s.io.startIO()
	s.full.running.Store(true)
	s.owned.Store(true)
	go s.slicer.run()
	return s, nil
}

// newSession connects the parts of a session.
func newSession(of launch) *Session {
	s := &Session{launch: of}
	s.life = life{launch: &s.launch, wake: make(chan struct{}, 1), ended: make(chan struct{}), changed: newSignal()}
	s.collector = collector{life: &s.life}
	s.publisher.life, s.publisher.collector, s.publisher.mask = &s.life, &s.collector, of.kernel.Config.InboxTasks-1
	s.forms.life, s.commander.life, s.reads.life = &s.life, &s.life, &s.life
	s.slotView = slotView{life: &s.life, forms: &s.forms, commander: &s.commander, reads: &s.reads}
	s.tuning.life, s.tuning.forms, s.tuning.commander = &s.life, &s.forms, &s.commander
	first := of.options.initial()
	s.tuning.now.Store(&first)
	s.tuning.next.Store(&first)
	s.breakpoints.life, s.breakpoints.forms, s.breakpoints.tuning = &s.life, &s.forms, &s.tuning
	s.tally.life, s.notes.launch = &s.life, &s.launch
	s.io.life, s.io.tuning = &s.life, &s.tuning
	s.slicer = slicer{
		life: &s.life, forms: &s.forms, breakpoints: &s.breakpoints, tuning: &s.tuning, commander: &s.commander, view: &s.slotView,
		publisher: &s.publisher, reads: &s.reads, io: &s.io, tally: &s.tally, notes: &s.notes,
	}
	s.closed = sync.OnceValue(s.end)
	return s
}

// warmUp runs a first slice that ends at once: many drivers compile a kernel only when it is first
// dispatched, and that time is not part of the run.
func (s *Session) warmUp() error {
	s.inbox.Store(megakernel.InboxEndSlice, 1)
	return s.runSlice()
}

// Epoch is the target's epoch.
func (l *launch) Epoch() uint32 { return l.control.Load(megakernel.CtrlEpoch) }

// AdvanceEpoch asks for the next epoch, which resumes tasks that wait for it.
func (cs *commander) AdvanceEpoch(context.Context) error {
	if err := cs.usable("advance the epoch"); err != nil {
		return err
	}
	cs.inbox.Add(megakernel.InboxEpochs, 1)
	cs.wakeUp()
	return nil
}

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

func (s *Session) free() {
	s.freeForms()
	for _, b := range s.bindings {
		_ = b.Buffer.Free()
	}
	s.bindings = nil
}

// slotWords is slot i as the host sees it.
func (v *slotView) slotWords(i int) engine.Words {
	return v.slots[i*tasks.SlotWords:][:tasks.SlotWords]
}
