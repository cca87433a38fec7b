// Package rerun tunes a workload on a device: it runs the workload again and again as what package tune
// measures, gives it the candidates that suit the device, and explains how what was found relates to
// what the launch policy recommends and to what the device can do.
package rerun

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/recommend"
	"vyretop/megakernel/run"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/workload"
)

// Config says what runs.
type Config struct {
	Backend       engine.Backend // stays the caller's to close
	New           func() (workload.Workload, error)
	WorkgroupSize int // 0: what suits the device
	Version       string
	Patience      time.Duration // for the first progress of a run; 0: any
}

// Live is a workload that runs; when it has ended it is started again. The work of a sample is the
// workload's own progress. Its methods are called from one goroutine.
type Live struct {
	config  Config
	run     *run.Run   // nil between runs
	began   time.Time  // of the run's work
	ended   chan error // receives what came of it
	cancel  context.CancelFunc
	typical time.Duration // shortest run so far; 0: none has ended
	pace    pace
}

// NewLive makes a target; nothing runs before the first window.
func NewLive(c Config) *Live { return &Live{config: c} }

// wholeRuns is how many windows a run must last for a window to be a part of it. Of shorter runs a window
// is a whole one, or several.
const wholeRuns = 2

// slowest is how many times as long as the shortest run, or a window, a run may take before it is cut short.
const slowest = 20

// Measure implements tune.Target.
func (l *Live) Measure(ctx context.Context, c tune.Candidate, atLeast time.Duration) (sum tune.Sample, err error) {
	whole := l.typical != 0 && l.typical < wholeRuns*atLeast
	if whole {
		err = l.Close()
	}
	for err == nil && sum.Time < atLeast {
		if err = l.prepare(ctx, c, whole); err != nil {
			return sum, err
		}
		var part tune.Sample
		if whole {
			part, err = l.watch(ctx, slowest*max(l.typical, atLeast))
		} else {
			part, err = l.watchPieces(ctx, atLeast-sum.Time, slowest*atLeast)
		}
		sum.Work, sum.Time, sum.Unit = sum.Work+part.Work, sum.Time+part.Time, part.Unit
	}
	return sum, err
}

// prepare sees to it that a run is under way and has the settings of c: at its very beginning where a whole
// one is to be measured.
func (l *Live) prepare(ctx context.Context, c tune.Candidate, whole bool) error {
	if l.run == nil {
		if err := l.launch(ctx); err != nil {
			return err
		}
	}
	if _, err := l.run.Hub().Apply(ctx, c...); err != nil {
		return err
	}
	if l.ended == nil {
		l.work(ctx)
		if !whole {
			return l.awaitProgress(ctx)
		}
	}
	return nil
}

// awaitProgress passes over the beginning of a run, when the host is still collecting what there is to do. A run that makes no
// progress is not waited for longer than the target's patience.
func (l *Live) awaitProgress(ctx context.Context) error {
	var over <-chan time.Time
	if l.config.Patience > 0 {
		over = time.After(l.config.Patience)
	}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for len(l.ended) == 0 {
		if done, _, _ := l.run.Progress(); done > 0 {
			return nil
		}
		select {
		case <-ticker.C:
		case <-over:
			return &fault.Error{Kind: tune.ErrBudget, Op: "tune", Detail: fmt.Sprintf("the workload got nothing done within %v", l.config.Patience), Fix: "tune a workload whose tasks end, or give a larger --budget"}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// launch starts the kernel; the work does not begin yet.
func (l *Live) launch(ctx context.Context) error {
	w, err := l.config.New()
	if err != nil {
		return err
	}
	l.run, err = run.Start(ctx, run.Config{
		Workload: w, Backend: l.config.Backend, WorkgroupSize: l.config.WorkgroupSize, Version: l.config.Version,
	})
	return err
}

// work begins the work of the run.
func (l *Live) work(ctx context.Context) {
	ctx, l.cancel = context.WithCancel(ctx)
	ended, run := make(chan error, 1), l.run
	l.ended, l.began = ended, time.Now()
	go func() { ended <- run.Work(ctx) }()
}

// closeTime is how long Close waits for a run.
const closeTime = 30 * time.Second

// ErrStuck is matched by the error about a run that does not end.
const ErrStuck fault.Kind = "the run does not end"

// Close ends the run, wherever it is. Another window launches the next one. A run that has not ended after 30 s is left
// to itself, and the error is ErrStuck: the backend is still in use then.
func (l *Live) Close() error {
	if l.run == nil {
		return nil
	}
	if l.cancel != nil {
		l.cancel()
	}
	run, ended := l.run, l.ended
	l.run, l.ended = nil, nil
	return closeWithin(closeTime, func() error {
		var err error
		if ended != nil {
			if err = <-ended; errors.Is(err, context.Canceled) {
				err = nil
			}
		}
		return errors.Join(err, run.Close())
	})
}

// closeWithin waits for a function at most d.
func closeWithin(d time.Duration, end func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
		return &fault.Error{Kind: ErrStuck, Op: "tune", Detail: fmt.Sprintf("the run did not end within %v of being told to", d), Fix: "end the program; vyretop doctor tests the device"}
	}
}

// Start is what a target is when it starts by itself: what its settings are then, what its lanes are, and
// in which unit it works.
type Start struct {
	Settings      megakernel.Settings
	WorkgroupSize int
	MaxLanes      int // of the largest workgroup that may be searched; 0: only that of the launch
	Unit          string
	Request       policy.Request // to the launch policy, with the queue at its longest
	Began         time.Time      // when its kernel was there
}

// looks is how often Begin looks at the queue; lookEvery how often at the progress; and paced is how many whole
// runs it watches.
const (
	looks     = 16
	lookEvery = 5 * time.Millisecond
	paced     = 5
)

// Begin launches the kernel with its defaults and watches run after run to its end, several of them or for so
// long.
func (l *Live) Begin(ctx context.Context, atMost time.Duration) (*Start, error) {
	s := &Start{}
	var until time.Time
	for n := 0; n == 0 || n < paced && time.Now().Before(until); n++ {
		if err := l.prepare(ctx, nil, false); err != nil {
			return nil, err
		}
		if n == 0 {
			s.Began = l.began
			until = time.Now().Add(atMost)
			s.Settings, s.WorkgroupSize = l.run.Hub().Settings(), l.run.Hub().Target().WorkgroupSize
			if l.config.WorkgroupSize == 0 {
				s.MaxLanes = l.run.Hub().Target().MaxLanes
			}
		}
		if err := l.follow(ctx, s, until); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// follow watches the run under way to its end, or until a time.
func (l *Live) follow(ctx context.Context, s *Start, until time.Time) error {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var t trace
	for n := 0; n == 0 || time.Now().Before(until); n++ { // however late it is, the first look tells what runs
		if err := l.look(s, &t, n); err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case err := <-l.ended:
			l.ended = nil
			done, total, _ := l.run.Progress()
			t.note(done, l.run.Worked())
			l.pace.add(t, total)
			l.lasted(l.run.Worked())
			return errors.Join(err, l.Close())
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// lasted keeps the length of the shortest whole run.
func (l *Live) lasted(d time.Duration) {
	if l.typical == 0 || d < l.typical {
		l.typical = d
	}
}

// look notes the progress of a run, and keeps the longest queue of its beginning.
func (l *Live) look(s *Start, t *trace, n int) error {
	var done int64
	done, _, s.Unit = l.run.Progress()
	t.note(done, time.Since(l.began))
	if n >= looks || len(l.pace.runs) > 0 {
		return nil
	}
	r, err := recommend.FromSnapshots(l.run.Header().Profile, l.run.Snapshot(), nil, nil)
	if err == nil && (n == 0 || r.QueueLen > s.Request.QueueLen) {
		s.Request = r
	}
	return err
}
