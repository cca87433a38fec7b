package reference

import (
	"sync"

	"vyretop/engine/reference/vm"
)

// pool shares the workgroups of a dispatch among goroutines.
type pool struct {
	mu    sync.Mutex
	work  *work
	queue []resident // runnable, first in first out
	wait  []resident // at a grid barrier
	live  int        // queued or being run
	over  bool       // no goroutine takes anything afterwards
	err   error      // of the first workgroup that failed
	ready *sync.Cond // something was queued, or nothing ever will be
}

// runParallel runs the workgroups on several goroutines. Each runs one for a time slice and puts it back.
func (d *Dispatch) runParallel(s *session) error {
	opts := d.pipeline.backend.opts
	p := &pool{work: &work{d: d, session: s}}
	p.ready = sync.NewCond(&p.mu)
	p.queue = p.work.fill(d.together())
	p.live = len(p.queue)
	var wg sync.WaitGroup
	for range min(opts.Parallel, p.live) {
		wg.Go(func() { p.worker(d, d.timeSlice()) })
	}
	wg.Wait()
	s.keepGroups(p.queue)
	s.keepGroups(p.wait)
	if p.over && p.err == nil {
		return d.halted()
	}
	return p.err
}

func (p *pool) worker(d *Dispatch, slice int) {
	for {
		r, ok := p.take()
		if !ok {
			return
		}
		halted := d.halt.Load() != nil
		if !halted {
			d.progress.instructions.Add(uint64(r.Run(slice)))
		}
		p.put(d, r, halted)
	}
}

// take waits for a workgroup to run; ok is false when the dispatch is over.
func (p *pool) take() (r resident, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.queue) == 0 && p.live > 0 && !p.over {
		p.ready.Wait()
	}
	if len(p.queue) == 0 || p.over {
		return resident{}, false
	}
	r = p.queue[0]
	p.queue = p.queue[1:]
	return r, true
}

// put queues a workgroup again, or the next one in its place when it has ended or waits. Once only
// workgroups at a grid barrier are left, they have passed it.
func (p *pool) put(d *Dispatch, r resident, halted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	more := true
	switch r.State() {
	case vm.Failed:
		halted = true
		if p.err == nil {
			p.err = d.failure(r.Group)
		}
	case vm.Waiting:
		p.wait = append(p.wait, r)
		r, more = p.work.begin(nil)
	case vm.Ended:
		d.progress.ended.Add(1)
		r, more = p.work.begin(r.Group)
	}
	if more {
		p.queue = append(p.queue, r)
	} else {
		p.live--
	}
	if p.live == 0 && len(p.wait) > 0 && !halted {
		release(p.wait)
		p.live = len(p.wait)
		p.queue, p.wait = p.wait, nil
		p.ready.Broadcast()
	}
	p.over = p.over || halted
	if p.over || p.live == 0 {
		p.ready.Broadcast()
	} else if more {
		p.ready.Signal()
	}
}
