package resident

import (
	"context"
	"slices"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel/kernel"
)

// form is what slices run: the kernel for all opcodes or specialized for some, with or without a look at
// breakpoints, and the breakpoints that it looks at.
type form struct {
	kernel   *kernel.Kernel
	program  *program // that it is a variant of
	pipeline *pipeline
	limits   limits
	breaks   []*placed
	number   uint64 // of the change that made it
}

// pipeline is compiled once and run by the forms that share it.
type pipeline struct {
	engine.Pipeline
	forms atomic.Int32
}

func newPipeline(p engine.Pipeline) *pipeline {
	out := &pipeline{Pipeline: p}
	out.forms.Store(1)
	return out
}

// share makes another form that runs the same pipeline.
func (f *form) share() *form {
	f.pipeline.forms.Add(1)
	next := *f
	return &next
}

// shareLive is share of a form whose pipeline may have been closed: that of the core variant is as soon as slices run the full kernel
// in its place, which no caller has asked for. It returns nil then.
func (f *form) shareLive() *form {
	for n := f.pipeline.forms.Load(); n > 0; n = f.pipeline.forms.Load() {
		if f.pipeline.forms.CompareAndSwap(n, n+1) {
			next := *f
			return &next
		}
	}
	return nil
}

// release is called when no slice will run the form any longer.
func (f *form) release() {
	if f.pipeline.forms.Add(-1) == 0 {
		_ = f.pipeline.Close()
	}
}

// forms is what slices run and what is compiled for them. One change is made at a time, by the goroutine that asks for it;
// the slicer brings it into force between two slices.
type forms struct {
	*life

	full     fullKernel
	formMu   lock[formRank] // one change of form at a time
	wanted   *form          // the form of the last change; guarded by formMu
	variants variants
	form     atomic.Pointer[form] // what slices run; only the slicer changes it,
	nextForm atomic.Pointer[form] // into this, when somebody asks
}

// onCore reports whether slices run the core variant.
func (fs *forms) onCore() bool { return fs.full.onCore(fs) }

// reform has the next slices run another form and waits until they do. change makes it from the one that was
// wanted last; nil for none. When ctx ends first the change is made nevertheless, at the next boundary.
func (fs *forms) reform(ctx context.Context, op string, change func(wanted *form) (*form, error)) error {
	fs.formMu.Lock()
	defer fs.formMu.Unlock()
	if err := fs.usable(op); err != nil {
		return err
	}
	next, err := change(fs.wanted)
	if next == nil || err != nil {
		return err
	}
	next.number = fs.wanted.number + 1
	fs.wanted = next
	if unused := fs.nextForm.Swap(next); unused != nil {
		unused.release()
	}
	fs.endSlice()
	fs.wakeUp()
	return fs.await(ctx, op, func() bool { return fs.form.Load() == next })
}

// formFor is a form with a workgroup size, for some opcodes, all if there are none, with or without breakpoints. The
// caller holds formMu. The form that is wanted so far serves if it can look at the breakpoints, also where it looks at more than
// they need: what is removed need not wait for a kernel without it. A kernel that has to be compiled looks at the breakpoints that
// are needed soon, too.
func (fs *forms) formFor(ctx context.Context, workgroup int, hot []uint32, breaks, soon []*placed) (f *form, err error) {
	c := &fs.wanted.kernel.Config
	if fs.wanted.program == fs.texts.now.Load() && (!c.Core || !keyFor(workgroup, breaks).holds()) && c.WorkgroupSize == workgroup && slices.Equal(c.Hot, hot) && covers(c, breaks) {
		if f = fs.wanted.shareLive(); f != nil {
			f.breaks = breaks
			return f, nil
		}
	}
	if len(soon) > len(breaks) && !fs.variants.has(keyFor(workgroup, breaks).of(fs.texts.now.Load())) {
		f, err = fs.exactForm(ctx, workgroup, hot, breaks, soon)
		if err == nil || ctx.Err() != nil {
			return f, err
		} // one of those to come may be what cannot be compiled: it will be told
	}
	return fs.exactForm(ctx, workgroup, hot, breaks, breaks)
}

// exactForm is formFor with a kernel that looks at no more than a list of breakpoints, of which some are in force.
func (fs *forms) exactForm(ctx context.Context, workgroup int, hot []uint32, breaks, all []*placed) (f *form, err error) {
	switch {
	case len(hot) > 0:
		f, err = fs.compileForm(ctx, fs.texts.now.Load(), keyFor(workgroup, all), hot)
	default:
		f, err = fs.variant(ctx, keyFor(workgroup, all))
	}
	if err == nil {
		f.breaks = breaks
	}
	return f, err
}

func (fs *forms) compileForm(ctx context.Context, p *program, v variantKey, hot []uint32) (*form, error) {
	c := fs.resized(p.kernel, v.workgroup)
	c.Holds, c.Core = kernel.Holds{Breaks: v.breaks, Stops: unpackStops(v.stops)}, v.core
	c.NoInline = c.NoInline || v.divided
	if len(hot) > 0 {
		c.Hot = slices.Clone(hot)
	}
	k, err := kernel.Assemble(c)
	if err != nil && v.stops != "" {
		err = kernel.BreakpointError(err)
	}
	if err != nil {
		return nil, err
	}
	if !slices.Equal(k.Program.Formats, p.kernel.Program.Formats) {
		panic("BUG: another form of the kernel numbers its log formats in another way")
	}
	o := fs.options
	o.Activation = fs.limits.activation // what is a fault in one form is one in the other
	f := &form{kernel: k, program: p}
	if f.limits, err = sliceLimits(&o, k, fs.profile); err != nil {
		return nil, err
	}
	if v.divided {
		if err := fs.compileApart(ctx, k.Program); err != nil {
			return nil, err
		}
	}
	compiled, err := fs.backend.Compile(ctx, k.Program)
	if err != nil {
		return nil, err
	}
	f.pipeline = newPipeline(compiled)
	return f, nil
}

// compileApart has another process compile a program and store it.
func (fs *forms) compileApart(ctx context.Context, p *engine.Program) error {
	return fs.backend.(engine.ApartCompiler).CompileApart(ctx, p)
}

// takeForm changes the form between two slices, if another one is asked for.
func (c *slicer) takeForm() *form {
	if next := c.forms.nextForm.Swap(nil); next != nil {
		c.breakpoints.takeBreaks(next)
		if before := c.forms.form.Load(); before.program != next.program {
			c.takeText(next, before)
		}
		c.forms.form.Swap(next).release()
	}
	return c.forms.form.Load()
}

// freeForms releases whatever form there still is. No slice will run.
func (fs *forms) freeForms() {
	fs.variants.close()
	fs.full.close()
	for _, f := range []*form{fs.nextForm.Swap(nil), fs.form.Load(), fs.full.generic} {
		if f != nil {
			f.release()
		}
	}
}
