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
		batch := g.batch(&next, g.opt.Frames-inFlight)
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
				return &workload.Error{Kind: workload.ErrProtocol, Name: "grep", Detail: "the kernel stopped before all files were searched", Fix: "run it again with --record and look at the last snapshot"}
			}
			if err := g.ended(cs); err != nil {
				return err
			}
			inFlight -= len(cs)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return workload.WriteOut(g.opt.Out, func(w io.Writer) error {
		_, err := w.Write(g.counts())
		return err
	})
}

// batch makes tasks for the next files, at most n. Empty files need none.
func (g *Grep) batch(next *int, n int) (ts []tasks.Task) {
	for ; *next < len(g.tree.files) && len(ts) < n; *next++ {
		first, pages := g.first[*next], g.first[*next+1]-g.first[*next]
		if pages == 0 {
			g.tree.files[*next].searched = true
			continue
		}
		ts = append(ts, tasks.Task{
			State: tasks.Ready, Opcode: g.manifest.Opcodes[0].Number, Priority: tasks.Normal, TaskID: uint32(*next + 1),
			InputHandle: first, Param: pages,
		})
	}
	return ts
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
			return &workload.Error{Kind: workload.ErrTaskFaulted, Name: "grep", Detail: fmt.Sprintf("%s: its task ended in a fault: %s", f.path, code), Fix: "look at the debug log of the run"}
		}
		if c.State != tasks.Done {
			g.faulted++
		}
		g.tree.reach(f, f.size)
	}
	return nil
}
