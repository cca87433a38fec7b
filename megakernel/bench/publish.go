package bench

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/engine"
	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// batch is the number of tasks that publish_batch and host_fed publish at a time.
const batch = 64

func (r *suite) publishSingle(ctx context.Context, share time.Duration, t *tally) error {
	return r.publish(ctx, share, t, 1)
}

func (r *suite) publishBatch(ctx context.Context, share time.Duration, t *tally) error {
	return r.publish(ctx, share, t, batch)
}

// turnTasks are published in one go. The inbox has room for them, so publishing never waits.
const turnTasks = 1024

// publish times the host's side alone, while the kernel runs. The completions are collected between
// turns.
func (r *suite) publish(ctx context.Context, share time.Duration, t *tally, at int) error {
	return r.session(ctx, share, t, trial{shape: r.shape, run: func(ctx context.Context, s *resident.Session) error {
		f := feeder{poller: newPoller(s), tasks: fill(turnTasks, opDone, nil)}
		if _, _, err := f.turn(ctx, at); err != nil {
			return err
		}
		p := part{shape: r.shape}
		for lasts := lasting(ctx, share); lasts.on(p.n); p.n += turnTasks {
			took, mallocs, err := f.turn(ctx, at)
			if err != nil {
				return err
			}
			p.took += took
			t.count("allocations", float64(mallocs))
		}
		t.parts = append(t.parts, p)
		return nil
	}})
}

// feeder publishes tasks that are done at once.
type feeder struct {
	*poller
	tasks []tasks.Task
}

// turn publishes all tasks in batches, and collects them.
func (f *feeder) turn(ctx context.Context, at int) (took time.Duration, mallocs uint64, err error) {
	for i := range f.tasks {
		f.tasks[i].TaskID = 0
	}
	before := mallocCount()
	began := time.Now()
	for i := 0; i < len(f.tasks); i += at {
		if err := f.session.Publish(ctx, f.tasks[i:i+at]); err != nil {
			return 0, 0, err
		}
	}
	took = time.Since(began)
	mallocs = mallocCount() - before
	return took, mallocs, f.wait(ctx, len(f.tasks))
}

func mallocCount() uint64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.Mallocs
}

// fedTasks is the most tasks that host_fed has under way.
const fedTasks = 4096

// hostFed is the whole way of a task with one goroutine on the host: it publishes a batch whenever
// there is room and collects what is done.
func (r *suite) hostFed(ctx context.Context, share time.Duration, t *tally) error {
	return r.session(ctx, share, t, trial{shape: r.shape, hot: r.quickest(opDone), run: func(ctx context.Context, s *resident.Session) error {
		poll := newPoller(s)
		list := fill(batch, opDone, nil)
		began := time.Now()
		p := part{shape: r.shape}
		inFlight := 0
		for lasts := lasting(ctx, share); lasts.on(p.n); {
			if inFlight+batch <= fedTasks {
				for i := range list {
					list[i].TaskID = 0
				}
				if err := s.Publish(ctx, list); err != nil {
					return err
				}
				inFlight += batch
			}
			poll.got = s.Poll(poll.got[:0])
			inFlight -= len(poll.got)
			p.n += uint64(len(poll.got))
			if err := s.Err(); err != nil {
				return err
			}
		}
		p.took = time.Since(began)
		t.parts = append(t.parts, p)
		return poll.wait(ctx, inFlight)
	}})
}

// slotCopy writes tasks into a ring of host-visible memory as a publisher must, and does nothing else.
func (r *suite) slotCopy(ctx context.Context, share time.Duration, t *tally) error {
	return r.withRing(ctx, func(ring engine.Words) {
		t.copies(ctx, share, func(list []tasks.Task) time.Duration {
			for at := 0; at < ringTasks*tasks.SlotWords; {
				for i := range list {
					engine.PutStruct(ring, at, &list[i])
					at += tasks.SlotWords
				}
			}
			return 0
		})
	})
}

// bellCopy is slotCopy with a doorbell for each batch, which another processor polls as a worker
// does; of batches it also reads a word of each task. The lines change their owners again and again.
func bellCopy(every uint32) func(*suite, context.Context, time.Duration, *tally) error {
	return func(r *suite, ctx context.Context, share time.Duration, t *tally) error {
		return r.withRing(ctx, func(ring engine.Words) {
			var done atomic.Bool
			var taken atomic.Uint32 // tasks that were read: only their places are written again
			var reader sync.WaitGroup
			reader.Go(func() {
				for seen := uint32(0); !done.Load(); {
					for bell := ring.Load(bellWord); every > 1 && seen != bell; seen++ {
						ring.Load(int(seen%ringTasks) * tasks.SlotWords)
					}
					taken.Store(seen)
				}
			})
			written, free := uint32(0), uint32(ringTasks)
			t.copies(ctx, share, func(list []tasks.Task) (waited time.Duration) {
				for i := range ringTasks {
					if every > 1 && free == 0 {
						began := time.Now()
						for ; free < ringTasks/2; free = ringTasks - (written - taken.Load()) {
							runtime.Gosched()
						}
						waited += time.Since(began)
					}
					engine.PutStruct(ring, i*tasks.SlotWords, &list[i%len(list)])
					free--
					if written++; written%every == 0 {
						ring.Release(bellWord, written)
					}
				}
				return waited
			})
			done.Store(true)
			reader.Wait()
		})
	}
}

// bellWord is behind the tasks of the ring of copies, on a line of its own.
const bellWord = ringTasks*tasks.SlotWords + megakernel.LineWords

// withRing allocates the ring of copies.
func (r *suite) withRing(ctx context.Context, f func(ring engine.Words)) error {
	b, err := r.backend.Allocate(ctx, "slot copies", bellWord+megakernel.LineWords, engine.HostVisible)
	if err != nil {
		return err
	}
	f(b.Words())
	return b.Free()
}

// copies measures rounds, each of which writes a ring of tasks from a batch. What a round had to wait does not count.
func (t *tally) copies(ctx context.Context, share time.Duration, round func(list []tasks.Task) (waited time.Duration)) {
	t.shape = shape{1, 1}
	list := fill(batch, opDone, nil)
	p := part{shape: t.shape}
	began := time.Now()
	waited := time.Duration(0)
	for lasts := lasting(ctx, share); lasts.on(p.n); {
		waited += round(list)
		p.n += ringTasks
	}
	p.took = time.Since(began) - waited
	t.parts = append(t.parts, p)
}
