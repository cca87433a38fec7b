package rerun

import (
	"context"
	"errors"
	"time"

	"vyretop/megakernel/tune"
)

// opening is where a window began.
type opening struct {
	done int64
	at   time.Time
}

func (l *Live) open() opening {
	done, _, _ := l.run.Progress()
	return opening{done: done, at: time.Now()}
}

// watch measures the run until it ends or the time is over.
func (l *Live) watch(ctx context.Context, d time.Duration) (tune.Sample, error) {
	w := l.open()
	ended, err := l.pass(ctx, d, nil)
	return l.sample(w, ended, err)
}

// watchPieces is watch, but where nothing gets done for so long the work comes in larger pieces: then the window is from the end of
// one to that of another. Neither is waited for longer than a limit.
func (l *Live) watchPieces(ctx context.Context, d, limit time.Duration) (tune.Sample, error) {
	w := l.open()
	more := func() bool { done, _, _ := l.run.Progress(); return done > w.done }
	ended, err := l.pass(ctx, d, nil)
	if ended || err != nil || more() {
		return l.sample(w, ended, err)
	}
	if ended, err = l.pass(ctx, limit, more); ended || err != nil || !more() {
		return l.sample(w, ended, err)
	}
	w = l.open()
	ended, err = l.pass(ctx, limit, func() bool { return time.Since(w.at) >= d && more() })
	return l.sample(w, ended, err)
}

// pass waits until the run ends, the time is over, or enough says so, which may be nil.
func (l *Live) pass(ctx context.Context, d time.Duration, enough func() bool) (ended bool, err error) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	var looks <-chan time.Time
	if enough != nil {
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		looks = ticker.C
	}
	for {
		select {
		case <-timer.C:
			return false, nil
		case err := <-l.ended:
			return true, err
		case <-ctx.Done():
			return false, ctx.Err()
		case <-looks:
			if enough() {
				return false, nil
			}
		}
	}
}

// sample is what was done since a window began. A run that has ended is closed.
func (l *Live) sample(w opening, ended bool, err error) (tune.Sample, error) {
	if err != nil && !ended {
		return tune.Sample{}, err
	}
	s := tune.Sample{Time: time.Since(w.at)}
	after, _, unit := l.run.Progress()
	s.Work, s.Unit = l.pace.worth(w.done, after), unit
	if ended {
		whole := l.run.Worked()
		s.Time = max(whole-w.at.Sub(l.began), 1)
		l.lasted(whole)
		l.ended = nil
		err = errors.Join(err, l.Close())
	}
	return s, err
}
