//go:build cgo && egl

package gl

import (
	"context"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/stage"
	"vyretop/gl/internal/glapi"
)

// choice is what dispatches of one pipeline may want compiled differently.
type choice struct {
	workgroup [3]uint32 // workgroup size; zero: the program's own
	ulpBudget uint8
	stop      bool // with a stop word, for a timeout
	workers   bool // that take the workgroups of the grid one after the other
	watch     bool // its loops, of a program outside the language: its bindings are known once it is compiled
}

// executable is a program as the device has it: parts that are dispatched one after the other.
type executable struct {
	program *engine.Program // completed with what the driver read in the text
	staged  *stage.Staged
	parts   []*linkedProgram
}

// build compiles a program and its parts.
func (b *Backend) build(ctx context.Context, op string, p *engine.Program, c choice) (*executable, error) {
	exe, err := divide(ctx, b, op, p, c)
	if err != nil {
		return nil, err
	}
	if err = exe.link(ctx, b, op); err == nil {
		err = b.do(ctx, op, func(s *glState) error { return exe.adopt(b, s, op) })
	}
	if err != nil {
		b.later(exe.release)
		return nil, err
	}
	return exe, nil
}

// Kept reports whether Compile only has to load p and its parts: they are stored.
func (b *Backend) Kept(ctx context.Context, p *engine.Program) bool {
	const op = "look for a program"
	exe, err := divide(ctx, b, op, p, choice{})
	if err != nil {
		return false
	}
	kept := false
	err = b.do(ctx, op, func(s *glState) error {
		kept = !slices.ContainsFunc(exe.staged.Parts, func(part *engine.Program) bool { return !s.programs.stores(part) })
		return nil
	})
	return err == nil && kept
}

// divide makes the parts of a program, with the floats that the device needs.
func divide(ctx context.Context, b *Backend, op string, p *engine.Program, c choice) (*executable, error) {
	own := p
	p, err := b.suited(ctx, op, p, c.ulpBudget)
	if err != nil {
		return nil, err
	}
	firm, err := b.guardLoops(ctx, p)
	if err != nil {
		return nil, err
	}
	staged, err := stage.Build(p, stage.Options{GridBarriers: true, Stop: c.stop, Workers: c.workers, Lockstep: b.profile.LockstepInvocations.Or(0), GuardLoops: firm, LoopLimit: b.watches(p) && (c.watch || len(p.Outside) == 0)})
	if err != nil {
		return nil, typed(op, err)
	}
	if p.WorkgroupSize != own.WorkgroupSize { // it lies in one row: that is for the device only
		q := *p
		q.WorkgroupSize, q.Tree = own.WorkgroupSize, own.Tree
		p = &q
	}
	return &executable{program: p, staged: staged}, nil
}

// link makes the parts.
func (x *executable) link(ctx context.Context, b *Backend, op string) error {
	for _, part := range x.staged.Parts {
		if err := b.limits.checkProgram(op, part); err != nil && len(part.Outside) == 0 {
			return err
		}
		l, err := b.program(ctx, op, part)
		if err != nil {
			return err
		}
		x.parts = append(x.parts, l)
	}
	return nil
}

// adopt looks what the driver made of the parts, on the owner's thread.
func (x *executable) adopt(b *Backend, s *glState, op string) error {
	for i, l := range x.parts {
		part := x.staged.Parts[i]
		if !slices.Contains(s.programs.linked, l) {
			return goneWithDevice(op)
		}
		completed, err := b.reconcile(s, op, l.handle, part)
		if err != nil {
			return err
		}
		if len(part.Outside) > 0 {
			completed.Text = x.program.Text // without what was added to it
			x.program = completed
		}
		s.api.Label(glapi.LabelProgram, l.handle, part.Name)
	}
	return nil
}

// release gives the parts back, on the owner's thread.
func (x *executable) release(s *glState) {
	for _, l := range x.parts {
		s.programs.release(&s.api, l)
	}
	x.parts = nil
}

// executable returns the program compiled as a dispatch wants it; the first such dispatch compiles, and
// needs the owner's thread. The caller holds pl.mu for reading afterwards when err is nil.
func (pl *pipeline) executable(ctx context.Context, c choice) (*executable, error) {
	if c.workgroup == pl.program.WorkgroupSize {
		c.workgroup = [3]uint32{}
	}
	pl.mu.RLock()
	exe := pl.compiled[c]
	if exe != nil {
		return exe, nil
	}
	err := pl.closedError("dispatch")
	pl.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	if err := pl.compile(ctx, c); err != nil {
		return nil, err
	}
	return pl.executable(ctx, c)
}

// compile adds one choice.
func (pl *pipeline) compile(ctx context.Context, c choice) error {
	p, err := pl.program.WithWorkgroup(c.workgroup)
	if err != nil {
		return err
	}
	exe, err := pl.backend.build(ctx, fmt.Sprintf("compile %q", p.Name), p, c)
	if err != nil {
		return err
	}
	pl.mu.Lock()
	defer pl.mu.Unlock()
	if len(pl.compiled) == 0 || pl.compiled[c] != nil { // closed, or somebody was faster
		pl.backend.later(exe.release)
		return nil
	}
	pl.compiled[c] = exe
	return nil
}
