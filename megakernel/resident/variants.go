package resident

import (
	"context"
	"fmt"
	"sync"
	"time"

	"vyretop/engine"
)

// variants is the kernel variant that looks at breakpoints, compiled at most once and shared by all forms with breakpoints
// that are not specialised. Compiling goes on when nobody waits for it any more, until the session ends.
type variants struct {
	mu     sync.Mutex
	ctx    context.Context // of the compilation; ends with the session
	end    context.CancelFunc
	breaks *variant // nil: not asked for, or the compilation failed
	ended  bool
}

// variant is a form that is being compiled, or has been.
type variant struct {
	begun time.Time
	done  chan struct{}
	form  *form // valid once done is closed; nil: err says why
	err   error
}

// ReadyBreakpoints compiles the kernel variant that looks at breakpoints, so that arming the first one only waits for a
// boundary. It returns when that is done or ctx ends; the compilation then goes on. It takes no processor from the kernel
// where the driver compiles on the host's processors.
func (s *Session) ReadyBreakpoints(ctx context.Context) error {
	_, err := s.breakVariant(engine.InBackground(ctx))
	return err
}

// breakVariant waits for the variant. The caller shares it.
func (s *Session) breakVariant(ctx context.Context) (*form, error) {
	v := s.variants.begin(ctx, func(ctx context.Context) (*form, error) { return s.compileForm(ctx, nil, true) })
	if v == nil {
		return nil, &StateError{Op: "compile for breakpoints", Phase: s.Phase(), Kind: ErrStopped}
	}
	select {
	case <-v.done:
		return v.form, v.err
	case <-ctx.Done():
		return nil, &CompilingError{After: time.Since(v.begun), Err: ctx.Err()}
	}
}

// begin returns the variant, whose compilation it begins unless that was done; nil when the session has ended.
func (b *variants) begin(ctx context.Context, compile func(context.Context) (*form, error)) *variant {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil
	}
	if b.breaks != nil {
		return b.breaks
	}
	if b.ctx == nil {
		b.ctx, b.end = context.WithCancel(context.WithoutCancel(ctx))
	}
	v := &variant{begun: time.Now(), done: make(chan struct{})}
	b.breaks = v
	go b.compile(v, compile)
	return v
}

func (b *variants) compile(v *variant, compile func(context.Context) (*form, error)) {
	f, err := compile(b.ctx)
	b.mu.Lock()
	defer b.mu.Unlock()
	v.form, v.err = f, err
	if err != nil || b.ended {
		b.breaks = nil
	}
	if f != nil && b.ended {
		f.release()
		v.form, v.err = nil, &StateError{Op: "compile for breakpoints", Kind: ErrStopped}
	}
	close(v.done)
}

// compiling reports whether the variant is being compiled, and since when.
func (b *variants) compiling() (since time.Time, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.breaks == nil {
		return since, false
	}
	select {
	case <-b.breaks.done:
		return since, false
	default:
		return b.breaks.begun, true
	}
}

// close releases the variant. No slice will run. A compilation under way is given up.
func (b *variants) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return
	}
	b.ended = true
	if b.end != nil {
		b.end()
	}
	if b.breaks != nil && b.breaks.form != nil {
		b.breaks.form.release()
	}
}

// Compiling reports whether a compilation is under way that ReadyBreakpoints has begun. A driver that compiles cannot be
// interrupted: closing the backend waits for it.
func (s *Session) Compiling() bool {
	_, ok := s.variants.compiling()
	return ok
}

// CompilingError says that a kernel variant was not compiled in time.
type CompilingError struct {
	After time.Duration
	Err   error
}

// Error implements error.
func (e *CompilingError) Error() string {
	return fmt.Sprintf("kernel variant with breakpoints: still compiling after %v: %v. Fix: try again later; the compilation goes on", e.After.Round(time.Millisecond), e.Err)
}

// Unwrap gives the context's error.
func (e *CompilingError) Unwrap() error { return e.Err }
