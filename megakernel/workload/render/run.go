package render

import (
	"context"
	"fmt"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// redraw is how often --out is written while the picture gets better.
const redraw = time.Second

// task renders a tile; its id is the tile's number plus one.
func (r *Render) task(tile int) tasks.Task {
	return tasks.Task{
		State: tasks.Ready, Opcode: r.manifest.Opcodes[0].Number, Priority: tasks.Normal,
		InputHandle: uint32(tile), Param: uint32(r.opt.samples), TaskID: uint32(tile + 1),
	}
}

// Run implements workload.Workload.
func (r *Render) Run(ctx context.Context, h workload.Host) error {
	image, err := r.imageOf(h)
	if err != nil {
		return err
	}
	r.image.Store(&image)
	ctx, cancel := context.WithCancel(ctx)
	published := make(chan error, 1)
	var publisher sync.WaitGroup
	publisher.Go(func() {
		list := make([]tasks.Task, r.opt.tiles())
		for i := range list {
			list[i] = r.task(i)
		}
		published <- h.Publish(ctx, list)
	})
	err = r.await(ctx, h, published)
	cancel()
	publisher.Wait()
	if err != nil || r.opt.Out == "" {
		return err
	}
	return r.writeOut()
}

// await returns when every tile is complete; in the meantime it writes the picture as it is.
func (r *Render) await(ctx context.Context, h workload.Host, published <-chan error) error {
	ticker := time.NewTicker(redraw)
	defer ticker.Stop()
	for r.tiles.Load() < int64(r.opt.tiles()) {
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return r.stopped()
			}
			if err := check(cs); err != nil {
				return err
			}
			r.tiles.Add(int64(len(cs)))
		case err := <-published:
			if err != nil {
				return err
			}
			published = nil
		case <-ticker.C:
			if r.opt.Out == "" {
				continue
			}
			if err := r.writeOut(); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// imageOf is the buffer of a host that its tiles go to.
func (r *Render) imageOf(h workload.Host) (engine.Words, error) {
	image := h.Buffer("image")
	if len(image) < 4*r.opt.width*r.opt.height {
		return nil, protocolError("the host did not map the buffer that render asked for")
	}
	return image, nil
}

func (r *Render) stopped() error {
	return protocolError(fmt.Sprintf("the kernel stopped after %d of %d tiles", r.tiles.Load(), r.opt.tiles()))
}

// check looks for faults.
func check(cs []workload.Completion) error {
	for _, c := range cs {
		if c.State != tasks.Done {
			return workload.Failure(workload.ErrTaskFaulted, "render", fmt.Sprintf("the task of tile %d ended in a fault: %s", c.TaskID-1, megakernel.FaultCode(c.Code)), nil, "look at the debug log of the run")
		}
	}
	return nil
}

func protocolError(detail string) error {
	return workload.Failure(workload.ErrProtocol, "render", detail, nil, "run it again with --record and look at the last snapshot")
}
