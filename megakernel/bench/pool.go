package bench

import (
	"context"
	"runtime"
	"sync"
	"time"

	"vyretop/tasks"
)

// pool is the way of Go without a device: goroutines that take tasks from a channel, run them, and
// send them back done.
type pool struct {
	in, out chan tasks.Task
	group   sync.WaitGroup
}

// poolDepth is the size of the channels, the same as that of the rings.
const poolDepth = ringTasks

func newPool(workers int) *pool {
	p := &pool{in: make(chan tasks.Task, poolDepth), out: make(chan tasks.Task, poolDepth)}
	for range workers {
		p.group.Go(func() {
			for t := range p.in {
				t.OutputHandle, t.State = t.Param, tasks.Done
				p.out <- t
			}
		})
	}
	return p
}

// stop ends the goroutines once they have run what is in the pool, and then closes the way back.
func (p *pool) stop() {
	close(p.in)
	p.group.Wait()
	close(p.out)
}

// looksAtClock is how many tasks are sent between two looks at the clock.
const looksAtClock = 1024

// goPool feeds the pool from one goroutine and collects in another, with a worker for each
// processor.
func (r *suite) goPool(ctx context.Context, share time.Duration, t *tally) error {
	t.shape = shape{runtime.NumCPU(), 1}
	p := newPool(runtime.NumCPU())
	began := time.Now()
	go func() {
		defer p.stop()
		task := tasks.Task{Opcode: opDone, Priority: tasks.Normal, State: tasks.Ready}
		lasts := lasting(ctx, share)
		for i := uint32(0); i%looksAtClock != 0 || lasts.on(1); i++ {
			task.TaskID = i
			p.in <- task
		}
	}()
	var n uint64
	for range p.out {
		n++
	}
	t.parts = append(t.parts, part{n, time.Since(began), t.shape})
	return nil
}

// goPoolLatency sends one task at a time.
func (r *suite) goPoolLatency(ctx context.Context, share time.Duration, t *tally) error {
	t.shape = shape{1, 1}
	p := newPool(1)
	defer p.stop()
	task := tasks.Task{Opcode: opDone, Priority: tasks.Normal, State: tasks.Ready}
	for c := t.collect(ctx, share); ; {
		began := time.Now()
		p.in <- task
		<-p.out
		if !c.add(began) {
			return nil
		}
	}
}
