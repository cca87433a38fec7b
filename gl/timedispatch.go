//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// fenceLimit bounds the wait for one dispatch of TimeDispatches; some drivers compile the kernel in the first.
const fenceLimit = time.Minute

// TimeDispatches repeats one dispatch with a fence until ctx ends or took is full, and returns the
// number of times it wrote. Everything happens in one stretch on the owner's thread, so a time is what
// plain OpenGL costs, without the queue and the goroutines of Start and Wait; nothing else can use the
// backend in between.
func (b *Backend) TimeDispatches(ctx context.Context, r Repeat, took []time.Duration) (n int, err error) {
	pl, ok := r.Pipeline.(*pipeline)
	if !ok || pl.backend != b {
		return 0, invalid("time dispatches", "the pipeline belongs to another backend", "compile it on this backend")
	}
	if r.Config.Timeout > 0 {
		return 0, invalid("time dispatches", "they have a timeout", "leave it out: the kernel must end by itself")
	}
	launch, err := b.limits.Admit(pl.program, r.Bindings, &r.Config)
	if err != nil {
		return 0, err
	}
	exe, err := pl.executable(ctx, choice{workgroup: launch.Workgroup, ulpBudget: r.Config.ULPBudget})
	if err != nil {
		return 0, err
	}
	defer pl.mu.RUnlock()
	p := b.newPending(launch, &r.Config, time.Now())
	defer p.leave()
	defer p.letGo()
	if err := p.prepare(ctx, pl, exe, r.Bindings, &r.Config); err != nil {
		return 0, err
	}
	err = b.do(ctx, "time dispatches", func(s *glState) error {
		p.bindOnThread(s)
		for n < len(took) && ctx.Err() == nil {
			began := time.Now()
			if r.Prepare != nil {
				r.Prepare(n)
			}
			if err := p.repeatOnThread(s); err != nil {
				return err
			}
			took[n] = time.Since(began)
			n++
		}
		return s.api.Err(p.op())
	})
	return n, err
}

// bindOnThread makes the buffers current; nothing else runs on the thread before the last dispatch, so
// once is enough.
func (p *pending) bindOnThread(s *glState) {
	for _, b := range p.binds {
		s.api.BindStorage(b.index, b.handle)
	}
	if p.indirect != nil {
		s.api.BindIndirect(p.indirectHandle)
	}
}

// repeatOnThread gives the driver the dispatch once more and waits for it.
func (p *pending) repeatOnThread(s *glState) error {
	for _, part := range p.exe.parts {
		p.dispatch(s, part)
	}
	f := s.api.InsertFence()
	state := s.api.WaitFence(f, true, fenceLimit)
	s.api.DeleteFence(f)
	if state != glapi.FencePassed {
		return fail(engine.CodeDispatchFailed, p.op(), fmt.Sprintf("a fence did not pass within %v", fenceLimit), "make the kernel end sooner")
	}
	return nil
}
