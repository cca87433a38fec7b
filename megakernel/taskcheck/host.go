package taskcheck

import (
	"context"
	"sync"
	"sync/atomic"

	"vyretop/engine/check"
	"vyretop/megakernel"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

// hostOrder is the order that the host makes between tasks. The host notes what it does; the dispatches look at the notes
// before tasks come and begin.
type hostOrder struct {
	takes bool // what the workload publishes depends on completions that it has taken
	noted atomic.Bool
	mu    sync.Mutex
	notes []note

	// Of the goroutine of the dispatches.
	known  check.Clock             // what the host knows was done
	after  map[uint32]check.Clock  // of tasks that it publishes, by ID: what it knew
	actors map[uint32]*check.Actor // of tasks that it has published and that have not ended
}

// note is one thing that the host has done.
type note struct {
	published []uint32
	taken     []uint32
	epoch     bool
}

func newHostOrder(takes bool) *hostOrder {
	return &hostOrder{takes: takes, after: map[uint32]check.Clock{}, actors: map[uint32]*check.Actor{}}
}

func (h *hostOrder) add(n note) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, n)
	h.noted.Store(true)
}

// settle looks at what the host has noted.
func (h *hostOrder) settle(m *model) {
	if !h.noted.Load() {
		return
	}
	h.mu.Lock()
	notes := h.notes
	h.notes = nil
	h.noted.Store(false)
	h.mu.Unlock()
	for _, n := range notes {
		for _, id := range n.taken {
			if a := h.actors[id]; a != nil {
				h.known = h.known.Join(m.monitor.Pass(a))
				delete(h.actors, id)
			}
		}
		for _, id := range n.published {
			h.after[id] = h.known
		}
		if n.epoch {
			m.epoch = m.epoch.Join(m.monitor.All())
		}
	}
}

// published is what comes before a published task.
func (h *hostOrder) published(id uint32) check.Clock {
	k := h.after[id]
	delete(h.after, id)
	return k
}

// came notes a task that has come into a slot.
func (h *hostOrder) came(a *check.Actor) {
	if h.takes && a != nil && a.ID < megakernel.SpawnedIDBase {
		h.actors[a.ID] = a
	}
}

// orderedWorkload is a workload whose host notes what it does.
type orderedWorkload struct {
	workload.Workload
	order *hostOrder
}

// Run implements workload.Workload.
func (w *orderedWorkload) Run(ctx context.Context, h workload.Host) error {
	o := &orderedHost{Host: h, order: w.order}
	if w.order.takes {
		o.completions = o.forward(ctx)
	}
	return w.Workload.Run(ctx, o)
}

// orderedHost notes what the host does.
type orderedHost struct {
	workload.Host
	order       *hostOrder
	completions <-chan []workload.Completion // nil: not noted
}

// forward passes completions on and notes them.
func (h *orderedHost) forward(ctx context.Context) <-chan []workload.Completion {
	out := make(chan []workload.Completion)
	go func() {
		defer close(out)
		for {
			var batch []workload.Completion
			select {
			case batch = <-h.Host.Completions():
			case <-ctx.Done():
				return
			}
			n := note{taken: make([]uint32, len(batch))}
			for i, c := range batch {
				n.taken[i] = c.TaskID
			}
			h.order.add(n)
			select {
			case out <- batch:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Completions implements workload.Host.
func (h *orderedHost) Completions() <-chan []workload.Completion {
	if h.completions == nil {
		return h.Host.Completions()
	}
	return h.completions
}

// Publish implements workload.Host.
func (h *orderedHost) Publish(ctx context.Context, ts []tasks.Task) error {
	n := note{published: make([]uint32, len(ts))}
	for i := range ts {
		n.published[i] = ts[i].TaskID
	}
	h.order.add(n)
	return h.Host.Publish(ctx, ts)
}

// AdvanceEpoch implements workload.Host.
func (h *orderedHost) AdvanceEpoch(ctx context.Context) error {
	h.order.add(note{epoch: true})
	return h.Host.AdvanceEpoch(ctx)
}
