package inspect

import (
	"context"
	"errors"
	"math"
	"time"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/remote"
)

// live is a subject in another process.
type live struct {
	*remote.Client
	dial remote.DialOptions
	told func(text string) // nil, or Options.Told
}

func openLive(ctx context.Context, name string, o Options) (Subject, error) {
	name, err := remote.Resolve(ctx, o.Dir, name, o.Wait)
	if err != nil {
		return nil, err
	}
	return dialLive(ctx, name, remote.DialOptions{Dir: o.Dir, Interval: o.Interval, NoLog: o.NoLog}, o.Told)
}

func dialLive(ctx context.Context, name string, dial remote.DialOptions, told func(string)) (Subject, error) {
	c, err := remote.Dial(ctx, name, dial)
	if err != nil {
		return nil, err
	}
	return live{c, dial, told}, nil
}

func (live) Kind() Kind { return Live }

func (l live) Now(ctx context.Context) (*megakernel.Snapshot, error) { return l.First(ctx) }

func (l live) Pair(ctx context.Context, window time.Duration) (now, before *megakernel.Snapshot, err error) {
	if before, err = l.First(ctx); err != nil {
		return nil, nil, err
	}
	for {
		now = l.Snapshot()
		if now != before && now.Taken-before.Taken >= window {
			return now, before, nil
		}
		select {
		case _, open := <-l.Updates():
			if open {
				continue
			}
			if now = l.Snapshot(); now == before {
				before = nil
			}
			return now, before, l.Err()
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	}
}

func (l live) LastLog(limit int) []megakernel.LogRecord {
	log := l.Store.Log(0, math.MaxInt)
	return log[max(0, len(log)-limit):]
}

func (l live) History(_ context.Context, want fixtures.Wanted, each func(*fixtures.StreamMessage) error) error {
	if log := l.Store.Log(0, math.MaxInt); want.Log && len(log) > 0 {
		if err := each(&fixtures.StreamMessage{Log: log}); err != nil {
			return err
		}
	}
	if !want.Events {
		return nil
	}
	for _, e := range l.Store.Events(0, math.MaxInt) {
		if err := each(&fixtures.StreamMessage{Event: &e}); err != nil {
			return err
		}
	}
	return nil
}

// Beside gives the same target to ask while s is followed, which takes the connection of a live one. The function ends
// that; it leaves s as it is.
func Beside(ctx context.Context, s Subject) (Subject, func() error, error) {
	l, ok := s.(live)
	if !ok {
		return s, func() error { return nil }, nil
	}
	dial := l.dial
	dial.NoLog = true
	c, err := remote.Dial(ctx, l.Name(), dial)
	if err != nil {
		return nil, nil, err
	}
	if _, err := c.First(ctx); err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	return live{c, dial, nil}, c.Close, nil
}
