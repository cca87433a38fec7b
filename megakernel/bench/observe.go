package bench

import (
	"context"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/resident"
)

// logRecords reads the debug log as fast as it can while workers write to it: as many of them as it can keep up
// with, which is tried in the first round.
func (r *suite) logRecords(ctx context.Context, share time.Duration, t *tally) error {
	if t.picked == (shape{}) {
		share /= 2
		var err error
		if t.picked, err = r.pickWriters(ctx, share/logTrials); err != nil {
			return err
		}
	}
	p, lost, err := r.readLog(ctx, share, t, t.picked)
	t.parts = append(t.parts, p)
	t.count("lost", float64(lost))
	return err
}

// logTrials are the numbers of writers that logRecords tries at most.
const logTrials = 12

// fewLost is the share of records that may be lost without there being too many writers.
const fewLost = 0.002

// pickWriters finds the most workers whose records the reader gets: half of those that are too many, and once there
// is a number that is not, one in the middle.
func (r *suite) pickWriters(ctx context.Context, each time.Duration) (shape, error) {
	s := r.shape
	few, many := 0, s.workers+1
	for trial, next := 0, s.workers; trial < logTrials && next > few; trial++ {
		s.workers = next
		p, lost, err := r.readLog(ctx, each, &tally{}, s)
		if err != nil {
			return s, err
		}
		if float64(lost) <= fewLost*float64(p.n) {
			few = next
		} else {
			many = next
		}
		next = (few + many) / 2
	}
	s.workers = max(1, few)
	return s, nil
}

// readLog reads the debug log for a time, while the given number of workers write to it.
func (r *suite) readLog(ctx context.Context, share time.Duration, t *tally, s shape) (p part, lost uint64, err error) {
	p.shape = s
	tr := trial{shape: s, most: r.shape.workers, log: megakernel.LogDebugf, opcode: opLog}
	tr.run = func(ctx context.Context, s *resident.Session) error {
		reader, err := s.Log()
		if err != nil {
			return err
		}
		reader.Read(nil, 0) // what was written so far is not counted
		before := reader.Lost()
		buf := make([]megakernel.LogRecord, 0, logSize)
		began := time.Now()
		for lasts := lasting(ctx, share); lasts.on(p.n); {
			got, _ := reader.Read(buf, logSize)
			p.n += uint64(len(got))
			if err := s.Err(); err != nil {
				return err
			}
		}
		p.took, lost = time.Since(began), reader.Lost()-before
		return nil
	}
	err = r.session(ctx, share, t, tr)
	return p, lost, err
}

// How observeCost works: pairs of windows in a round, with and without an observer.
const (
	observePairs = 2
	observeEvery = time.Second / 60
)

// observeCost compares the rate of continuations with and without an observer, in windows that take
// turns.
func (r *suite) observeCost(ctx context.Context, share time.Duration, t *tally) error {
	window := share / (2 * observePairs)
	return r.session(ctx, share, t, trial{shape: r.shape, log: megakernel.LogDebugf, opcode: opYield, run: func(ctx context.Context, s *resident.Session) error {
		for i := range observePairs {
			cost, err := observePair(ctx, s, window, i%2)
			if err != nil {
				return err
			}
			t.costs = append(t.costs, cost)
		}
		return nil
	}})
}

// observePair measures two windows, of which number `observed` has an observer, and returns what
// that one lost in percent.
func observePair(ctx context.Context, s *resident.Session, window time.Duration, observed int) (float64, error) {
	var speed [2]float64
	for i := range speed {
		stop := func() {}
		if i == observed {
			var err error
			if stop, err = observe(s); err != nil {
				return 0, err
			}
		}
		n, took, err := countFor(ctx, s, window)
		stop()
		if err != nil {
			return 0, err
		}
		speed[i] = float64(n) / took.Seconds()
	}
	alone := speed[1-observed]
	if alone == 0 {
		return 0, nil
	}
	return 100 * (1 - speed[observed]/alone), nil
}

// observe does what a dashboard does to the target, until the returned function is called.
func observe(s *resident.Session) (stop func(), err error) {
	reader, err := s.Log()
	if err != nil {
		return nil, err
	}
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(observeEvery)
		defer ticker.Stop()
		o := s.Observer()
		var buf []megakernel.LogRecord
		for {
			select {
			case <-quit:
				return
			case <-ticker.C:
				o.Read()
				buf, _ = reader.Read(buf[:0], logSize)
			}
		}
	}()
	return func() { close(quit); <-ended }, nil
}
