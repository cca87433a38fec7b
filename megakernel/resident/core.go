package resident

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/kernel"
)

// CoreMode says whether a session starts with the core variant of its kernel, which a driver compiles in a fraction of
// the time and which does what is common, while the full kernel is compiled beside it.
type CoreMode int

const (
	CoreAuto CoreMode = iota // where that comes sooner: the driver compiles for longer than coreDelay, or nothing is stored
	CoreOff                  // slices wait for the full kernel
	CoreHeld                 // for tests: run the core variant until something needs the full kernel
)

// coreDelay is how long the full kernel may take before the core variant is compiled too. A stored program is there
// sooner.
const coreDelay = 150 * time.Millisecond

// fullKernel is the compilation of the full kernel, beside slices of the core variant. Where the driver compiles on threads of
// its own it begins with the session. Where it compiles in the dispatch, with the processors that the kernel runs on, it
// begins when a slice needs it or ReadyFull asks for it: a short run does without it.
type fullKernel struct {
	generic *form // of the full kernel; valid once ready, nil where it cannot be compiled
	compile func(background bool)
	begin   sync.Once
	begun   atomic.Pointer[time.Time] // nil: it has not
	end     context.CancelFunc
	ready   atomic.Bool   // it has been compiled, or cannot be
	running atomic.Bool   // there are slices, which end for it
	done    chan struct{} // closed after ready, and after the last use of the session by the compilation
	err     error         // valid once ready
}

// keeper is a backend that stores compiled programs.
type keeper interface {
	// Kept reports whether a program only has to be loaded.
	Kept(ctx context.Context, p *engine.Program) bool
}

// StartsWithCore reports whether sessions of a kernel start with its core variant on a device where nothing is stored: its
// workers run all handlers, and the driver takes long to compile. Pages of files need the full kernel soon: where only
// one of the two is compiled at a time, it had better be that.
func StartsWithCore(c *kernel.Config, p engine.DeviceProfile) bool {
	beside := !p.DispatchBlocks.Or(true) && !p.SoftwareDevice.Or(true) // on threads of its own
	return coreRuns(c) && (beside || compilesInDispatch(p) && !c.HasPages())
}

// compilesInDispatch reports whether the driver compiles a kernel when it is dispatched, with the processors that run it.
func compilesInDispatch(p engine.DeviceProfile) bool {
	return p.DispatchBlocks.Or(false) && p.SoftwareDevice.Or(false)
}

// coreRuns reports whether the core variant can run all handlers.
func coreRuns(c *kernel.Config) bool {
	for i := range c.Handlers {
		if c.Handlers[i].Cooperative {
			return false
		}
	}
	return !c.Holds.Breaks && len(c.Holds.Stops) == 0 && len(c.Hot) == 0
}

// mayStartWithCore reports whether the core variant is of use to a session.
func (f *fullKernel) mayStartWithCore(s *forms, ctx context.Context) bool {
	switch s.options.Core {
	case CoreOff:
		return false
	case CoreHeld:
		return coreRuns(&s.kernel.Config)
	}
	if !StartsWithCore(&s.kernel.Config, s.profile) {
		return false
	}
	if !compilesInDispatch(s.profile) {
		return true
	}
	k, keeps := s.backend.(keeper)
	return keeps && !s.options.NeedsFull && !k.Kept(ctx, s.kernel.Program)
}

// firstForm compiles the full kernel, and where that takes long the core variant, which slices run then.
func (f *fullKernel) firstForm(s *forms, ctx context.Context) error {
	fullCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	f.end, f.done = end, make(chan struct{})
	core := f.mayStartWithCore(s, ctx)
	later := core && s.options.Core == CoreAuto && compilesInDispatch(s.profile)
	f.compile = func(background bool) {
		if background {
			fullCtx = engine.InBackground(fullCtx)
		}
		f.compileFull(s, fullCtx)
	}
	if !later {
		f.start(false)
	}
	if core && (later || !f.fullWithin(s, coreDelay)) {
		core, err := s.compileForm(ctx, variantKey{workgroup: s.kernel.Config.WorkgroupSize, core: true}, nil)
		if err == nil {
			s.wanted = core
			s.form.Store(core)
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
	}
	if err := f.awaitFull(ctx); err != nil {
		return err
	}
	s.wanted = f.generic.share()
	s.form.Store(s.wanted)
	return nil
}

// start has the full kernel compiled, if that has not begun; in the background where nothing waits for it.
func (f *fullKernel) start(background bool) {
	f.begin.Do(func() {
		now := time.Now()
		f.begun.Store(&now)
		go f.compile(background)
	})
}

// compiling reports whether the full kernel is being compiled, and since when.
func (f *fullKernel) compiling() (since time.Time, ok bool) {
	begun := f.begun.Load()
	if begun == nil || f.ready.Load() {
		return time.Time{}, false
	}
	return *begun, true
}

// close ends the compilation, and waits until it has ended where it has begun. No slice will run.
func (f *fullKernel) close() {
	if f.done == nil {
		return
	}
	f.end()
	f.begin.Do(func() { // what waits for it from now on learns why it never comes
		f.err = gone("compile the kernel", 0, ErrStopped, nil)
		close(f.done)
	})
	<-f.done
}

func (f *fullKernel) compileFull(s *forms, ctx context.Context) {
	defer close(f.done)
	pipeline, err := s.backend.Compile(ctx, s.kernel.Program)
	if f.err = err; err == nil {
		f.generic = &form{kernel: s.kernel, pipeline: newPipeline(pipeline), limits: s.limits}
	}
	f.ready.Store(true)
	if f.running.Load() && s.options.Core != CoreHeld {
		s.endSlice()
		s.wakeUp()
	}
}

// ReadyFull compiles the full kernel, where slices run its core variant, so that what needs it only waits for a boundary. It
// returns when that is done or ctx ends; the compilation then continues. It takes no processor from the kernel.
func (fs *forms) ReadyFull(ctx context.Context) error {
	fs.full.start(true)
	return fs.full.awaitFull(ctx)
}

// fullWithin waits at most d for the full kernel and reports whether slices can run it from the beginning.
func (f *fullKernel) fullWithin(s *forms, d time.Duration) bool {
	if s.options.Core == CoreHeld {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-f.done:
		return true
	case <-timer.C:
		return false
	}
}

// awaitFull has the full kernel compiled, if it can be, and waits until it has been.
func (f *fullKernel) awaitFull(ctx context.Context) error {
	f.start(false)
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return &CompilingError{What: "full kernel", After: time.Since(*f.begun.Load()), Err: ctx.Err()}
	}
}

// onCore reports whether slices run the core variant.
func (f *fullKernel) onCore(s *forms) bool {
	now := s.form.Load()
	return now != nil && now.kernel.Config.Core
}

// needsFull reports whether the next slice must be one of the full kernel. No slice is running.
func (f *fullKernel) needsFull(s *forms) bool {
	if !f.onCore(s) {
		return false
	}
	return f.ready.Load() && s.options.Core != CoreHeld ||
		s.outbox.Load(megakernel.OutEndReason) == megakernel.EndService ||
		s.inbox.Load(megakernel.InboxCommands) != s.outbox.Load(megakernel.OutCommandsTaken) ||
		s.inbox.Load(megakernel.InboxEpochs) != s.epochsSeen()
}

// takeFull waits for the full kernel where the next slice needs it, and makes it what slices run. It returns early when
// the session is stopped. It is the slicer's, which serves others in the meantime.
func (f *fullKernel) takeFull(s *forms, serve func()) error {
	if s.nextForm.Load() != nil || !f.needsFull(s) {
		return nil
	}
	f.start(false)
	for !f.ready.Load() {
		if s.stopping.Load() || s.nextForm.Load() != nil {
			return nil // any other form does what the core variant does not
		}
		serve()
		select {
		case <-f.done:
		case <-s.wake:
		}
	}
	if f.err != nil {
		return f.err
	}
	if next := f.generic.share(); !s.nextForm.CompareAndSwap(nil, next) {
		next.release()
	}
	s.events("compile", "the full kernel replaces its core variant after "+time.Since(*f.begun.Load()).Round(time.Millisecond).String())
	return nil
}

// refreshOnCore brings the mirror up to date between two slices, because the core variant does not copy slots.
func (v *slotView) refreshOnCore() bool {
	v.reads.open.RLock()
	defer v.reads.open.RUnlock()
	if v.usable("read the slots") != nil {
		return false
	}
	return v.reads.between("read the slots", v.fetchSlots) == nil
}
