package resident

import (
	"context"
	"errors"
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
	apart   bool          // a process of its own compiles it, as what sessions start with
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

// Starter is what sessions of a kernel start with on a device where nothing is stored and whose driver takes long to compile; ok is
// false where they wait for the full kernel. soon says that the host soon asks for what the core variant cannot do, apart that
// backend is an engine.ApartCompiler.
//
// It is the core variant if that does what the kernel is configured for. Pages of files need the full kernel soon: where only one of the two is compiled
// at a time, it had better be that. Where the driver compiles on threads of its own, large handlers are compiled on their own in it,
// which drivers crash on at times (package gl): by another process, which may.
func Starter(k *kernel.Kernel, p engine.DeviceProfile, soon, apart bool) (c kernel.Config, ok bool) {
	c = k.Config
	core := coreRuns(&c)
	if !compilesBeside(p) {
		c.Core = core && compilesInDispatch(p) && !c.HasPages()
		return c, c.Core
	}
	divided := apart && divides(k)
	c.NoInline = c.NoInline || divided
	c.Core = core && !(divided && soon)
	return c, c.Core || divided
}

// divides reports whether a variant with large handlers apart is of use to who starts a kernel.
func divides(k *kernel.Kernel) bool {
	c := &k.Config
	return !c.NoInline && !c.Holds.Breaks && len(c.Holds.Stops) == 0 && len(c.Hot) == 0 && k.HasLargeHandlers()
}

// compilesBeside reports whether the driver compiles on threads of its own, and takes long.
func compilesBeside(p engine.DeviceProfile) bool {
	return !p.DispatchBlocks.Or(true) && !p.SoftwareDevice.Or(true)
}

// compilesInDispatch reports whether the driver compiles a kernel when it is dispatched, with the processors that run it.
func compilesInDispatch(p engine.DeviceProfile) bool {
	return p.DispatchBlocks.Or(false) && p.SoftwareDevice.Or(false)
}

// coreRuns reports whether the core variant can run what the kernel is configured for.
func coreRuns(c *kernel.Config) bool {
	return !c.Holds.Breaks && len(c.Holds.Stops) == 0 && len(c.Hot) == 0
}

// starter is what the session starts with; ok is false where that is the full kernel.
func (f *fullKernel) starter(s *forms, ctx context.Context) (k variantKey, ok bool) {
	k.workgroup = s.kernel.Config.WorkgroupSize
	if s.options.Core == CoreOff {
		return k, false
	}
	_, apart := s.backend.(engine.ApartCompiler)
	c, ok := Starter(s.kernel, s.profile, s.options.NeedsFull, apart)
	k.core, k.divided = c.Core, c.NoInline && !s.kernel.Config.NoInline
	if s.options.Core == CoreHeld {
		k.core = coreRuns(&s.kernel.Config)
		return k, k.core || k.divided
	}
	if !ok || !compilesInDispatch(s.profile) {
		return k, ok
	}
	kept, keeps := s.backend.(keeper)
	return k, keeps && !s.options.NeedsFull && !kept.Kept(ctx, s.kernel.Program)
}

// firstForm compiles the full kernel, and where that takes long the core variant, which slices run then.
func (f *fullKernel) firstForm(s *forms, ctx context.Context) error {
	fullCtx, end := context.WithCancel(context.WithoutCancel(ctx))
	f.end, f.done = end, make(chan struct{})
	first, early := f.starter(s, ctx)
	later := early && s.options.Core == CoreAuto && compilesInDispatch(s.profile)
	f.apart = first.divided
	f.compile = func(background bool) {
		if background {
			fullCtx = engine.InBackground(fullCtx)
		}
		f.compileFull(s, fullCtx)
	}
	if !later {
		f.start(false)
	}
	if early && (later || !f.fullWithin(s, coreDelay)) {
		form, err := f.compileStarter(s, ctx, first)
		if form != nil {
			s.wanted = form
			s.form.Store(form)
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

// compileStarter makes the form that slices begin with. It gives up once the full kernel is there. Where a process of its own cannot
// compile it, as its driver's compiler has crashed, this one compiles the core variant without what that one may have crashed on.
func (f *fullKernel) compileStarter(s *forms, ctx context.Context, k variantKey) (*form, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	go func() {
		select {
		case <-f.done:
			if s.options.Core != CoreHeld {
				end()
			}
		case <-ctx.Done():
		}
	}()
	form, err := s.compileForm(ctx, s.texts.first, k, nil)
	if err == nil || !k.divided || ctx.Err() != nil {
		return form, err
	}
	if !errors.Is(err, engine.ErrUnsupportedFeature) {
		s.events("compile", "the variant that starts sooner cannot be compiled: "+err.Error())
	}
	if k.divided = false; !coreRuns(&s.kernel.Config) {
		return nil, err
	}
	k.core = true
	return s.compileForm(ctx, s.texts.first, k, nil)
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

// giveUp ends the compilation where it has begun: slices run another text. Nothing may wait for it.
func (f *fullKernel) giveUp() {
	if f.done != nil && !f.ready.Load() {
		f.end()
	}
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
	if f.apart {
		_ = s.compileApart(ctx, s.kernel.Program) // what it could not compile is compiled here
	}
	pipeline, err := s.backend.Compile(ctx, s.kernel.Program)
	if f.err = err; err == nil {
		f.generic = &form{kernel: s.kernel, program: s.texts.first, pipeline: newPipeline(pipeline), limits: s.limits}
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
	if fs.texts.now.Load() != fs.texts.first {
		return nil // slices run a full kernel of another text
	}
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

// onStarter reports whether slices run what the session started with until the full kernel is there.
func (f *fullKernel) onStarter(s *forms) bool {
	now := s.form.Load()
	return now != nil && (now.kernel.Config.Core || now.kernel.Config.NoInline && !s.kernel.Config.NoInline)
}

// needsFull reports whether the next slice must be one of the full kernel. No slice is running.
func (f *fullKernel) needsFull(s *forms) bool {
	if !f.onStarter(s) {
		return false
	}
	takes := f.ready.Load() && s.options.Core != CoreHeld
	if !f.onCore(s) {
		return takes && f.err == nil // else it does as well without
	}
	return takes ||
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
	if s.nextForm.Load() != nil {
		return nil // the text was reloaded, and this one was given up
	}
	if f.err != nil {
		return f.err
	}
	started := "the variant with its handlers apart"
	if f.onCore(s) {
		started = "its core variant"
	}
	if next := f.generic.share(); !s.nextForm.CompareAndSwap(nil, next) {
		next.release()
	}
	s.events("compile", "the full kernel replaces "+started+" after "+time.Since(*f.begun.Load()).Round(time.Millisecond).String())
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
