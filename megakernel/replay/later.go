package replay

import (
	"context"
	"errors"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/activations"
	"vyretop/megakernel/kernel"
)

// later are handlers that a run has from an activation on. Its slices have one activation each, so that those up to it run the handlers before:
// the text of a slice is that with which it begins.
type later struct {
	config kernel.Config  // whose handlers these are
	from   int            // number of the activation among all
	begun  atomic.Int64   // number of the newest activation of the execution
	kernel *kernel.Kernel // with them, of the newest execution
}

// watched is what is called before each activation of an execution.
func watched(p *plan, begins func(activations.Activation, activations.Memory)) func(activations.Activation, activations.Memory) {
	if !p.stepped {
		return begins
	}
	return func(a activations.Activation, m activations.Memory) {
		if p.later != nil {
			p.later.begun.Store(int64(a.Number))
		}
		endSlice(m)
		begins(a, m)
	}
}

// endSlice has the slice end after the activation that begins, as the host would.
func endSlice(m activations.Memory) {
	for binding, words := range m {
		if binding == megakernel.BindInbox {
			atomic.StoreUint32(&words[megakernel.InboxEndSlice], atomic.LoadUint32(&words[megakernel.InboxSettings+megakernel.SettingSlice]))
		}
	}
}

// on makes a backend that runs the later handlers in their slices. c is the configuration of the kernel that an execution begins with. l may be nil.
func (l *later) on(b engine.Backend, c kernel.Config) (engine.Backend, error) {
	if l == nil {
		return b, nil
	}
	c.Handlers, c.Sources, c.Resolver = l.config.Handlers, l.config.Sources, l.config.Resolver
	c.Operations, c.Automaton = l.config.Operations, l.config.Automaton
	k, err := kernel.Assemble(c)
	if err != nil {
		return nil, err
	}
	l.begun.Store(0)
	l.kernel = k
	return &twoTexts{Backend: b, later: l, program: k.Program}, nil
}

// text is that which an activation runs; nil where it is that of the target. l may be nil.
func (l *later) text(a *activations.Activation) (*kernel.Text, error) {
	if l == nil || a.Number < l.from {
		return nil, nil
	}
	return l.kernel.Text()
}

// twoTexts compiles each pipeline with both texts.
type twoTexts struct {
	engine.Backend
	*later

	program *engine.Program
}

// Compile implements engine.Backend.
func (b *twoTexts) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	first, err := b.Backend.Compile(ctx, p)
	if err != nil {
		return nil, err
	}
	second, err := b.Backend.Compile(ctx, b.program)
	if err != nil {
		return nil, errors.Join(err, first.Close())
	}
	return &twoPipelines{Pipeline: first, second: second, later: b.later}, nil
}

// twoPipelines are the pipelines of both texts.
type twoPipelines struct {
	engine.Pipeline
	*later

	second engine.Pipeline
}

// Start implements engine.Pipeline.
func (x *twoPipelines) Start(ctx context.Context, bindings []engine.Binding, c engine.DispatchConfig) (engine.Pending, error) {
	if x.begun.Load() >= int64(x.from)-1 {
		return x.second.Start(ctx, bindings, c)
	}
	return x.Pipeline.Start(ctx, bindings, c)
}

// Close implements engine.Pipeline.
func (x *twoPipelines) Close() error { return errors.Join(x.Pipeline.Close(), x.second.Close()) }
