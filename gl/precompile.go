//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/owner"
)

// A device whose dispatch call runs the kernel compiles it there too: llvmpipe spends a twentieth of the time
// in glLinkProgram and the rest in the first dispatch of each context. Its own cache makes that
// milliseconds where any context has dispatched the text before. So while there are pipelines that could be
// dispatched, and in the background, a text is precompiled: another context, on a thread of its own, compiles it and
// dispatches none of it, before the owner's thread gets it.

// precompiler is the texts that are being precompiled.
type precompiler struct {
	under  sync.WaitGroup // Add with the backend's lock, while not closed
	aside  chan struct{}  // full while one is under way that something waits for
	behind chan struct{}  // and one in the background
}

// precompiles reports whether texts are precompiled.
func (b *Backend) precompiles(ctx context.Context) bool {
	p := &b.profile
	if !p.DispatchBlocks.Or(false) || !p.IndirectDispatch.Or(false) || !b.gl.programs.kept {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return (len(b.pipelines) > 0 || engine.Background(ctx)) && !b.closed
}

// precompile returns when the driver has p's text in its cache, or cannot have it, or when ctx ends: false.
func (b *Backend) precompile(ctx context.Context, p *engine.Program) bool {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return true // and the next compilation reports it
	}
	done := make(chan struct{})
	turn := b.precompiler.aside // one at a time: the kernels that run need processors
	if engine.Background(ctx) {
		turn = b.precompiler.behind // which takes none from them, and may take long: nothing that is waited for waits for it
	}
	b.precompiler.under.Go(func() {
		defer close(done)
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return
		}
		if err := perform(b, p.Text, engine.Background(ctx)); err != nil {
			b.messages.add(Message{Source: "shader compiler", Severity: "low", Text: "compiled on the thread that dispatches: " + err.Error()})
		}
	})
	b.mu.Unlock()
	select {
	case <-done:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// perform compiles a text in a context of its own, in the background where nothing waits for it.
func perform(b *Backend, text string, background bool) error {
	if err := b.alive("precompile"); err != nil {
		return nil // closed while others were precompiled
	}
	s := &glState{open: b.gl.open, messages: &messageLog{}} // what the driver says, it says again
	o, err := owner.Start(s)
	if err != nil {
		return err
	}
	err = o.Do(context.Background(), func() error {
		if background {
			yieldProcessor()
		}
		return s.precompile(text)
	})
	return errors.Join(err, o.Close())
}

// writeShare is the part of its time that a compilation takes once more for the driver to write its cache,
// which it does on threads of its own.
const writeShare = 20

// precompile compiles a text to the end with a dispatch of no workgroups. The driver must not know that
// there are none, or it skips all: it reads the grid from memory.
func (s *glState) precompile(text string) error {
	begun := time.Now()
	a := &s.api
	program, _, ok := a.EndCompute(a.BeginCompute(text))
	if !ok {
		return nil // the owner's thread will learn why
	}
	grid := a.CreateBuffer()
	a.LocalStorage(grid, 3*wordBytes)
	a.Clear(grid)
	a.UseProgram(program)
	a.BindIndirect(grid)
	a.DispatchIndirect(0)
	a.Finish()
	time.Sleep(time.Since(begun) / writeShare)
	return a.Err("precompile")
}
