package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/command"
	"vyretop/megakernel/run"
)

// prelude does what was asked for before the first activation: it pauses the workers and sets breakpoints.
func (f *runFlags) prelude(ctx context.Context, a *app, run *run.Run) error {
	if f.paused {
		// Software OpenGL compiles the kernel when it first runs, and only a kernel that runs answers.
		waiting := a.noteSince("waiting for the workers to pause", time.Now(), 0)
		_, err := run.Hub().Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll})
		waiting()
		if err != nil {
			return err
		}
		if !f.interactive(a) {
			fmt.Fprintln(a.stderr, "vyretop: all workers are paused. Resume with: vyretop do resume all")
		}
	}
	if f.again {
		return f.setKept(ctx, a, run)
	}
	list, err := f.breakpoints()
	if err != nil || len(list) == 0 {
		return err
	}
	defer a.noteSince("compiling the kernel variant with breakpoints", time.Now(), 0)()
	defer run.Expect(coming(list, run.Header().Target.Opcodes))()
	for i := range list {
		if _, err := list[i].Carry(ctx, run.Hub()); err != nil {
			return err
		}
	}
	return nil
}

// coming are the breakpoints that orders set. What is wrong with one is told when it is carried out.
func coming(list []command.Order, opcodes map[uint32]string) (out []breakpoint.Breakpoint) {
	for i := range list {
		if b := list[i].Break; b.Compile(opcodes) == nil {
			out = append(out, b.Set)
		}
	}
	return out
}

// gate holds the work of a run back until the beginning of a script has been carried out: what comes before its first
// wait.
type gate struct {
	opened chan struct{}
	once   sync.Once
}

// newGate is open without a script.
func newGate(f *viewFlags) *gate {
	g := &gate{opened: make(chan struct{})}
	if len(f.exec.lines)+len(f.exec.orders) == 0 {
		g.open()
	}
	return g
}

func (g *gate) open() { g.once.Do(func() { close(g.opened) }) }
