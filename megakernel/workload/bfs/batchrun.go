package bfs

import (
	"context"

	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

var _ workload.Queued = (*Batch)(nil)

// Run implements workload.Workload.
func (b *Batch) Run(ctx context.Context, h workload.Host) error {
	return b.search(ctx, h, 0, b.frames)
}

// Share implements workload.Sharer.
func (b *Batch) Share(hosts int) { b.hosts = hosts }

// RunShare implements workload.Sharer. A host has two searches for each lane at most, so that the others get some.
func (b *Batch) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	return b.search(ctx, h, part.Host, min(b.frames, 2*part.AtOnce()))
}

// search does searches on a host until none is left, at most that many at a time.
func (b *Batch) search(ctx context.Context, h workload.Host, host, most int) error {
	records := h.Buffer("records")
	if len(records) < len(b.sources)*recordWords {
		return protocolError("the host did not map the buffers that bfs-batch asked for")
	}
	for inFlight := 0; ; {
		changed := b.units.Changed()
		if b.units.Ended() {
			return nil
		}
		if inFlight <= most/2 {
			list := b.units.Take(host, 1, most-inFlight)
			if err := h.Publish(ctx, b.tasks(list)); err != nil {
				return err
			}
			if inFlight += len(list); len(list) > 0 {
				continue
			}
		}
		select {
		case cs, ok := <-h.Completions():
			if !ok {
				return protocolError("the kernel stopped before all searches were over")
			}
			if err := check(cs); err != nil {
				return err
			}
			for _, c := range cs {
				b.keep(host, int(c.TaskID-1), recordAt(records.Load, int(c.TaskID-1)*recordWords))
			}
			inFlight -= len(cs)
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// tasks are those of some searches.
func (b *Batch) tasks(searches []int) []tasks.Task {
	list := make([]tasks.Task, len(searches))
	for i, n := range searches {
		list[i] = tasks.Task{
			State: tasks.Ready, Opcode: b.manifest.Opcodes[0].Number, Priority: tasks.Normal, TaskID: uint32(n + 1), InputHandle: b.sources[n], OutputHandle: uint32(n),
		}
	}
	return list
}

// recordAt is a record in words.
func recordAt(word func(i int) uint32, at int) record {
	return record{reached: word(at + recordReached), levels: word(at + recordLevels), arcs: word(at + recordArcs), check: word(at + recordCheck)}
}

// keep notes what a search has found on a host.
func (b *Batch) keep(host, search int, r record) {
	b.records[search] = r
	b.done.Add(1)
	b.units.Finish(host, search)
}

// Lose implements workload.Sharer.
func (b *Batch) Lose(host int) int { return len(b.units.Lose(host, nil)) }

// Joined implements workload.Sharer: the records are the result.
func (b *Batch) Joined() error { return nil }

// Progress implements workload.Workload.
func (b *Batch) Progress() (done, total int64, unit string) {
	return b.done.Load(), int64(len(b.sources)), "searches"
}
