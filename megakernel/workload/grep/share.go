package grep

import (
	"context"

	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

var _ workload.Sharer = (*Grep)(nil)

var _ workload.Queued = (*Grep)(nil)

// Share implements workload.Sharer.
func (g *Grep) Share(hosts int) { g.hosts = hosts }

// RunShare implements workload.Sharer. Each file is searched by one host, which has as many in flight as it has frames.
func (g *Grep) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	for inFlight := 0; ; {
		changed := g.units.Changed()
		if g.units.Ended() {
			return nil
		}
		batch := g.share(part.Host, g.opt.Frames-inFlight)
		inFlight += len(batch)
		if err := h.Publish(ctx, batch); err != nil {
			return err
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
			for _, c := range cs {
				g.units.Finish(part.Host, int(c.TaskID-1))
			}
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// share takes files for a host, at most n with something in them, until it has some or there are none.
func (g *Grep) share(host, n int) (batch []tasks.Task) {
	for len(batch) == 0 {
		list := g.units.Take(host, 1, n)
		if len(list) == 0 {
			break
		}
		for _, file := range list {
			if t, ok := g.task(file); ok {
				batch = append(batch, t)
				continue
			}
			g.units.Finish(host, file)
		}
	}
	return batch
}

// Lose implements workload.Sharer. What was found of a file is told when its task ends, so nothing has to be taken back.
func (g *Grep) Lose(host int) int { return len(g.units.Lose(host, nil)) }

// Joined implements workload.Sharer.
func (g *Grep) Joined() error { return g.writeOut() }
