package infer

import (
	"context"
	"sync"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
)

var _ workload.Sharer = (*Infer)(nil)

// shared is texts that several hosts write, each some batches from beginning to end. A host's texts are copied when all that it
// has begun are complete: those of a host that is lost before are written again by others.
type shared struct {
	hosts int
	units *workload.Units                // batches
	feed  *workload.Feed                 // of units; nil: all are this process's
	texts []atomic.Pointer[engine.Words] // by host; nil before it runs and after it was lost

	mu   sync.Mutex
	rate []float64 // by host: positions a second in its last round
}

// Share implements workload.Sharer.
func (r *Infer) Share(hosts int) {
	r.shared = &shared{hosts: hosts, texts: make([]atomic.Pointer[engine.Words], hosts), rate: make([]float64, hosts)}
}

// batch is how many sequences advance together: fewer where hosts would get none. Texts do not depend on it.
func (r *Infer) batch(sequences int) int {
	if r.shared == nil || r.shared.feed != nil { // other processes have other hosts, and the same batches
		return r.opt.batch
	}
	return min(r.opt.batch, (sequences+r.shared.hosts-1)/r.shared.hosts)
}

// divide makes the units, once the batches are known.
func (r *Infer) divide() {
	if r.shared == nil {
		return
	}
	r.shared.units = workload.NewUnits(r.plan.batches(), r.shared.hosts)
	r.shared.units.Feed(r.shared.feed)
	text := make(engine.Words, r.plan.textWords())
	r.text.Store(&text)
}

// RunShare implements workload.Sharer.
func (r *Infer) RunShare(ctx context.Context, h workload.Host, part workload.Part) error {
	text, err := r.textOf(h)
	if err != nil {
		return err
	}
	s := r.shared
	s.texts[part.Host].Store(&text)
	for {
		changed := s.units.Changed()
		if s.units.Ended() {
			return nil
		}
		list := s.units.Take(part.Host, r.plan.batches(), r.plan.batches()) // its share at once: batches that run together fill a device
		if len(list) > 0 {
			if err := r.round(ctx, h, part.Host, list); err != nil {
				return err
			}
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// round writes the texts of some batches on a host.
func (r *Infer) round(ctx context.Context, h workload.Host, host int, batches []int) error {
	list := make([]tasks.Task, len(batches))
	for i, b := range batches {
		list[i] = r.task(b)
	}
	if err := h.Publish(ctx, list); err != nil {
		return err
	}
	if err := r.awaitRound(ctx, h, host, batches); err != nil {
		return err
	}
	for _, b := range batches {
		r.keep(host, b)
		r.shared.units.Finish(host, b)
	}
	return nil
}

// awaitRound returns when all texts of a round have stopped, and no task is left of them.
func (r *Infer) awaitRound(ctx context.Context, h workload.Host, host int, batches []int) error {
	text := *r.shared.texts[host].Load()
	rate, err := follow(ctx, h, text, func(ended int) bool {
		return ended >= len(batches) && r.allStopped(text, batches) && h.Ended().Left == 0
	})
	r.shared.mu.Lock()
	defer r.shared.mu.Unlock()
	r.shared.rate[host] = rate
	return err
}

// sequences are those of a batch: from first to before end.
func (p *plan) sequences(batch int) (first, end int) {
	return batch * p.batch, min((batch+1)*p.batch, len(p.prompts))
}

// allStopped reports whether all sequences of batches have.
func (r *Infer) allStopped(text engine.Words, batches []int) bool {
	for _, b := range batches {
		first, end := r.plan.sequences(b)
		for i := first; i < end; i++ {
			if text.Load(textHead+2*i+1) == 0 {
				return false
			}
		}
	}
	return true
}

// keep copies the texts of a batch from a host.
func (r *Infer) keep(host, batch int) {
	from, to := *r.shared.texts[host].Load(), *r.text.Load()
	words := make([]uint32, 2*r.plan.positions)
	first, end := r.plan.sequences(batch)
	for i := first; i < end; i++ {
		from.CopyTo(words[:2], textHead+2*i)
		to.CopyFrom(textHead+2*i, words[:2])
		at := textHead + 2*len(r.plan.prompts) + 2*i*r.plan.positions
		from.CopyTo(words, at)
		to.CopyFrom(at, words)
	}
}

// Lose implements workload.Sharer.
func (r *Infer) Lose(host int) int {
	r.shared.texts[host].Store(nil)
	return len(r.shared.units.Lose(host, nil))
}

// Joined implements workload.Sharer.
func (r *Infer) Joined() error {
	r.text.Load().Store(textEnded, 1)
	r.rate = 0
	for _, rate := range r.shared.rate {
		r.rate += rate
	}
	return nil
}

// read counts the positions that all hosts have read.
func (s *shared) read() (n int64) {
	for i := range s.texts {
		if text := s.texts[i].Load(); text != nil {
			n += int64(text.Load(textProgress))
		}
	}
	return n
}
