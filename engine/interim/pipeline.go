package interim

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine"
)

// pipeline implements engine.Pipeline.
type pipeline struct {
	backend *Backend
	program *engine.Program
	here    engine.Pipeline    // of the interpreter; nil where that cannot run the program, or was not needed
	end     context.CancelFunc // of the compilation on the device
	done    chan struct{}      // closed when that has ended

	// Written before done is closed.
	there engine.Pipeline
	err   error
}

// Compile implements engine.Backend. Until the work moves it returns when the interpreter can run the program; an error of the device
// is one of the first dispatch there. A program that is outside the kernel language, or too large for the interpreter, waits for the device.
func (b *Backend) Compile(ctx context.Context, p *engine.Program) (engine.Pipeline, error) {
	x := &pipeline{backend: b, program: p, done: make(chan struct{})}
	if b.StandsIn() {
		x.here, _ = b.interpreter.Compile(ctx, p) // without it the device runs the program from the beginning
	}
	ended, ok := b.begin()
	if !ok {
		return nil, &engine.Error{Code: engine.CodeInvalidProgram, Backend: b.Identity().Name, Op: "compile", Detail: "the backend has been closed", Fix: "open another one"}
	}
	if x.here == nil {
		x.end = func() {}
		x.compile(ctx, ended)
		return x, x.err
	}
	background, end := context.WithCancel(context.WithoutCancel(ctx))
	x.end = end
	go x.compile(engine.InBackground(background), ended)
	x.awaitAtMost(ctx, patience)
	return x, nil
}

// awaitAtMost waits a while for the device.
func (p *pipeline) awaitAtMost(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	case <-ctx.Done():
	}
}

func (p *pipeline) compile(ctx context.Context, ended func()) {
	defer close(p.done)
	defer ended() // who hears of the end finds it counted
	p.there, p.err = p.backend.Device.Compile(ctx, p.program)
}

// ID implements engine.Pipeline.
func (p *pipeline) ID() string { return p.backend.Identity().ID + ":" + p.program.Fingerprint() }

// Program implements engine.Pipeline.
func (p *pipeline) Program() *engine.Program {
	if p.here == nil {
		return p.there.Program()
	}
	return p.program
}

// Start implements engine.Pipeline. The dispatch with which the work moves waits for those before it.
func (p *pipeline) Start(ctx context.Context, bindings []engine.Binding, cfg engine.DispatchConfig) (engine.Pending, error) {
	b := p.backend
	b.place.Lock()
	defer b.place.Unlock()
	if !b.onDevice && (p.here == nil || b.ready()) {
		if err := b.move(ctx); err != nil {
			return nil, err
		}
	}
	bindings, err := b.bind(bindings)
	if err != nil {
		return nil, err
	}
	if cfg.Indirect.Buffer != nil {
		if cfg.Indirect.Buffer, err = b.own(cfg.Indirect.Buffer); err != nil {
			return nil, err
		}
	}
	if !b.onDevice {
		b.ran = true
		return p.here.Start(ctx, bindings, cfg)
	}
	if err := p.await(ctx); err != nil {
		return nil, err
	}
	return p.there.Start(ctx, bindings, cfg)
}

// await waits until the device has compiled the program.
func (p *pipeline) await(ctx context.Context) error {
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// bind gives bindings with the buffers of where the work is done.
func (b *Backend) bind(list []engine.Binding) ([]engine.Binding, error) {
	out := make([]engine.Binding, len(list))
	for i, x := range list {
		buf, err := b.own(x.Buffer)
		if err != nil {
			return nil, err
		}
		out[i] = engine.Binding{Index: x.Index, Buffer: buf}
	}
	return out, nil
}

func (b *Backend) own(any engine.Buffer) (engine.Buffer, error) {
	x, ok := any.(*buffer)
	if !ok || x.backend != b {
		return nil, &engine.Error{
			Code: engine.CodeInvalidProgram, Backend: b.Identity().Name, Op: "dispatch",
			Detail: fmt.Sprintf("buffer %q belongs to another backend", any.Name()), Fix: "allocate it on this backend",
		}
	}
	return x.now(), nil
}

// Close implements engine.Pipeline. It waits for the device's compiler, which it asks to give up.
func (p *pipeline) Close() error {
	p.end()
	<-p.done
	var err error
	if p.here != nil {
		err = p.here.Close()
	}
	if p.there != nil {
		if e := p.there.Close(); err == nil {
			err = e
		}
	}
	return err
}
