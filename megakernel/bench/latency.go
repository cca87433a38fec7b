package bench

import (
	"context"
	"math/rand/v2"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// maxSamples bounds the samples of a latency in a round; more would not help.
const maxSamples = LatencySamples

// collector gathers the samples of one round.
type collector struct {
	*tally
	left  int
	lasts span
}

func (t *tally) collect(ctx context.Context, share time.Duration) *collector {
	return &collector{tally: t, left: maxSamples, lasts: lasting(ctx, share)}
}

// add notes a latency that ended now, and reports whether more are wanted.
func (c *collector) add(began time.Time) bool {
	c.took = append(c.took, time.Since(began))
	c.left--
	return c.left > 0 && c.lasts.on(1)
}

// span is the time of a measurement.
type span struct {
	ctx context.Context
	end time.Time
}

// lasting begins a measurement that ends after its share, or with ctx.
func lasting(ctx context.Context, share time.Duration) span { return span{ctx, time.Now().Add(share)} }

// on reports whether to continue with done operations; one at least is done, so that a figure exists.
func (s span) on(done uint64) bool {
	return s.ctx.Err() == nil && (done == 0 || time.Now().Before(s.end))
}

// Samples are counted after a while only: a GPU that has done nothing for some seconds runs at a third of its
// speed for a quarter of a second.
const warmUp = 400 * time.Millisecond

// submitToDone is one task at a time through one worker.
func (r *suite) submitToDone(ctx context.Context, share time.Duration, t *tally) error {
	return r.session(ctx, share, t, trial{shape: shape{1, r.shape.lanes}, hot: r.quickest(opDone), run: func(ctx context.Context, s *resident.Session) error {
		p := newPoller(s)
		task := fill(1, opDone, nil)
		for warm := lasting(ctx, warmUp); warm.on(1); {
			if err := p.once(ctx, task); err != nil {
				return err
			}
		}
		for c := t.collect(ctx, share); ; {
			began := time.Now()
			if err := p.once(ctx, task); err != nil {
				return err
			}
			if !c.add(began) {
				return nil
			}
		}
	}})
}

// poller collects completions without ever sleeping, but looks now and then whether it should continue.
type poller struct {
	session *resident.Session
	got     []megakernel.Completion
}

func newPoller(s *resident.Session) *poller {
	return &poller{session: s, got: make([]megakernel.Completion, 0, ringTasks)}
}

// looks is how many polls go by between two looks at the context and the session.
const looks = 1 << 14

// wait collects n completions.
func (p *poller) wait(ctx context.Context, n int) error {
	for i := 1; n > 0; i++ {
		p.got = p.session.Poll(p.got[:0])
		n -= len(p.got)
		if i%looks == 0 {
			if err := alive(ctx, p.session); err != nil {
				return err
			}
		}
	}
	return nil
}

// once publishes a task and waits for its completion.
func (p *poller) once(ctx context.Context, task []tasks.Task) error {
	task[0].TaskID = 0
	if err := p.session.Publish(ctx, task); err != nil {
		return err
	}
	return p.wait(ctx, 1)
}

// pass lets a time pass, much shorter than a sleep can be, and returns when it was over.
func pass(d time.Duration) time.Time {
	for began := time.Now(); ; {
		if now := time.Now(); now.Sub(began) >= d {
			return now
		}
	}
}

// alive is why a measurement cannot continue, or nil.
func alive(ctx context.Context, s *resident.Session) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Err()
}

// Workers run for a random time before they are paused, long enough to be within their scheduling passes, so
// that no part of a pass is seen more often than another. Right after they were resumed, a good part of the latency
// would be the rest of what that takes.
const (
	leastBusy = 20 * time.Microsecond
	mostBusy  = 60 * time.Microsecond
)

// pauseAll is the latency of pausing workers that are busy with short tasks, at a random time.
func (r *suite) pauseAll(ctx context.Context, share time.Duration, t *tally) error {
	return r.session(ctx, share, t, trial{shape: r.shape, opcode: opYield, run: func(ctx context.Context, s *resident.Session) error {
		waits := rand.New(rand.NewPCG(1, 2))
		for c := t.collect(ctx, share); ; {
			began := pass(leastBusy + time.Duration(waits.Int64N(int64(mostBusy-leastBusy))))
			if _, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpPauseAll}); err != nil {
				return err
			}
			more := c.add(began)
			if _, err := s.Do(ctx, megakernel.Command{Op: megakernel.OpResumeAll}); err != nil {
				return err
			}
			if !more {
				return nil
			}
		}
	}})
}
