package grep

import (
	"context"
	"fmt"
	"io"

	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// Run implements workload.Workload. There are never more tasks in flight than frames: each holds one page at most.
func (g *Grep) Run(ctx context.Context, h workload.Host) error {
	next, inFlight := 0, 0
	for next < len(g.tree.files) || inFlight > 0 {
		var batch []tasks.Task
		for ; next < len(g.tree.files) && len(batch) < g.opt.Frames-inFlight; next++ {
			if t, ok := g.task(next); ok {
				batch = append(batch, t)
			}
		}
		inFlight += len(batch)
		if err := h.Publish(ctx, batch); err != nil {
			return err
		}
		if inFlight == 0 {
			continue
		}
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return errStopped
			}
			if err := g.ended(cs); err != nil {
				return err
			}
			inFlight -= len(cs)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return g.writeOut()
}

var errStopped = workload.Failure(workload.ErrProtocol, "grep", "the kernel stopped before all files were searched", nil, "run it again with --record and look at the last snapshot")

// writeOut writes what was asked for with --out.
func (g *Grep) writeOut() error {
	return workload.WriteOut(g.opt.Out, func(w io.Writer) error {
		_, err := w.Write(g.counts())
		return err
	})
}

// task is that of a file; an empty one needs none.
func (g *Grep) task(file int) (t tasks.Task, ok bool) {
	first, pages := g.first[file], g.first[file+1]-g.first[file]
	if pages == 0 {
		g.tree.files[file].searched = true
		return t, false
	}
	return tasks.Task{
		State: tasks.Ready, Opcode: g.manifest.Opcodes[0].Number, Priority: tasks.Normal, TaskID: uint32(file + 1),
		InputHandle: first, Param: pages,
	}, true
}

// ended keeps what tasks have found. A file that could not be read is not an error of the run: its task faults, which
// Verify expects.
func (g *Grep) ended(cs []workload.Completion) error {
	for _, c := range cs {
		f := g.tree.files[c.TaskID-1]
		code := megakernel.FaultCode(c.Code)
		switch {
		case c.State == tasks.Done:
			f.searched, f.lines = true, int64(c.Output)
		case code == megakernel.FaultShortRead:
			g.tree.warn(fmt.Errorf("%s: the file has become shorter", f.path))
		case code != megakernel.FaultRead: // then the source has said why
			return workload.Failure(workload.ErrTaskFaulted, "grep", fmt.Sprintf("%s: its task ended in a fault: %s", f.path, code), nil, "look at the debug log of the run")
		}
		if c.State != tasks.Done {
			g.faulted.Add(1)
		}
		g.tree.reach(f, f.size)
	}
	return nil
}
