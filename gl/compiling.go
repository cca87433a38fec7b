//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"slices"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
	"vyretop/gl/internal/programcache"
)

// compiler is what of OpenGL makes programs out of texts; glapi.API is one.
type compiler interface {
	BeginCompute(text string) glapi.Job
	Finished(glapi.Job) bool
	EndCompute(glapi.Job) (program uint32, log string, ok bool)
}

// compilation is a program that is being made, shared by all requests for its text. Its fields belong to
// the owner's thread until done is closed; the fields after done do not change once it is closed.
type compilation struct {
	key     programcache.Key
	program *engine.Program // of whom asked first
	job     glapi.Job
	err     error // of handing it over
	waiters int

	done    chan struct{}
	linked  *linkedProgram // nil: failure says why
	failure func(op string, p *engine.Program) error
}

// lookStep is how long the thread lets compilations be between two looks at them: they take milliseconds to
// minutes, a look takes up to 0.1 ms.
const lookStep = time.Millisecond

// program returns the program of a text, linked by this context, by an earlier process, or now. Each
// call wants one release. Where the driver compiles on threads of its own, the owner's thread does other
// work in between; a caller that gives up leaves the program to later callers.
func (b *Backend) program(ctx context.Context, op string, p *engine.Program) (l *linkedProgram, err error) {
	if b.precompiles(ctx) {
		if l, err = linkedBy(ctx, b, op, p); l != nil || err != nil {
			return l, err
		}
		if !b.precompile(ctx, p) {
			return nil, compilesOn(ctx, op)
		}
	}
	var c *compilation
	err = b.do(ctx, op, func(s *glState) error {
		l, c, err = s.programs.acquire(s, op, p)
		return err
	})
	if err != nil || c == nil {
		return l, err
	}
	select {
	case <-c.done:
		return c.result(op, p)
	case <-ctx.Done():
		b.later(func(s *glState) { s.programs.leave(s, c) })
		return nil, compilesOn(ctx, op)
	}
}

// compilesOn is the error of who gives up while the driver compiles.
func compilesOn(ctx context.Context, op string) error {
	e := fail(engine.CodeUnknown, op, "gave up waiting; the driver is still compiling", "wait longer; the next request finds what is compiled by then")
	e.Err = context.Cause(ctx)
	return e
}

// linkedBy returns the program of a text if this context has it, else nil.
func linkedBy(ctx context.Context, b *Backend, op string, p *engine.Program) (l *linkedProgram, err error) {
	err = b.do(ctx, op, func(s *glState) error {
		l = s.programs.take(s.programs.keyOf(p))
		return nil
	})
	return l, err
}

// result is what one of those who waited gets.
func (c *compilation) result(op string, p *engine.Program) (*linkedProgram, error) {
	if c.linked == nil {
		return nil, c.failure(op, p)
	}
	return c.linked, nil
}

// leave is called for one of those who waited when it has given up.
func (t *programs) leave(s *glState, c *compilation) {
	switch {
	case slices.Contains(t.underWay, c):
		c.waiters--
	case c.linked != nil:
		t.release(&s.api, c.linked)
	}
}

// begin hands a text to the driver.
func (t *programs) begin(s *glState, key programcache.Key, p *engine.Program) *compilation {
	t.misses.Add(1)
	c := &compilation{key: key, program: p, waiters: 1, done: make(chan struct{})}
	c.job = s.compiler.BeginCompute(p.Text)
	c.err = s.api.Err("compile")
	t.underWay = append(t.underWay, c)
	return c
}

// poll ends the compilations that the driver has finished, all of them when the device is lost, and reports
// whether there are others.
func (t *programs) poll(s *glState) owner.Pace {
	if len(t.underWay) == 0 {
		return owner.Idle
	}
	now := time.Now()
	if s.lost == nil && now.Sub(t.looked) < lookStep {
		return owner.Slow
	}
	t.looked = now
	if now.Sub(s.checked) > resetInterval {
		s.checkReset(now)
	}
	if s.usable("compile") != nil {
		t.abandon(lossFailure(s.lost))
		return owner.Idle
	}
	for _, c := range slices.Clone(t.underWay) {
		if s.compiler.Finished(c.job) {
			t.end(s, c)
		}
	}
	if len(t.underWay) == 0 {
		return owner.Idle
	}
	return owner.Slow
}

// lossFailure is the failure of what was under way when the device was lost.
func lossFailure(lost error) func(op string, p *engine.Program) error {
	return func(op string, _ *engine.Program) error { return lossError(op, lost) }
}

// end takes the program of a compilation that the driver has finished.
func (t *programs) end(s *glState, c *compilation) {
	t.underWay = slices.DeleteFunc(t.underWay, func(x *compilation) bool { return x == c })
	defer close(c.done)
	s.checkReset(time.Now()) // a lost device calls everything finished
	if s.lost != nil {
		c.failure = lossFailure(s.lost)
		return
	}
	h, log, ok := s.compiler.EndCompute(c.job)
	err := errors.Join(c.err, s.api.Err("compile"))
	s.collect()
	switch {
	case !ok:
		c.failure = func(op string, p *engine.Program) error { return refused(op, p, log, err) }
	case err != nil:
		s.api.DeleteProgram(h)
		c.failure = func(op string, _ *engine.Program) error { return typed(op, err) }
	default:
		s.compilerNote(log, c.program)
		t.store(s, c.key, h, log)
		c.linked = &linkedProgram{c.key, h, glapi.SubroutinesOf(&s.api, h), c.waiters}
		t.linked = append(t.linked, c.linked)
		t.trim(&s.api)
	}
}

// refused is the error of a text that the driver does not take.
func refused(op string, p *engine.Program, log string, cause error) error {
	e := fail(engine.CodeKernelCompileFailed, op, "the driver refused the text", "correct the lines named in the log")
	e.Log = remapLog(log, p.LinePos)
	e.Err = cause
	return e
}

// abandon gives up all compilations. What the driver has of them goes with the context.
func (t *programs) abandon(failure func(op string, p *engine.Program) error) {
	for _, c := range t.underWay {
		c.failure = failure
		close(c.done)
	}
	t.underWay = nil
}
