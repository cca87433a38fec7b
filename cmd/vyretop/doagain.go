package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/command"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/tui/progress"
)

// aroundRerun divides orders behind the first rerun: those behind it are for the run that has started again.
func aroundRerun(orders []command.Order) (now, then []command.Order, again bool) {
	i := slices.IndexFunc(orders, func(o command.Order) bool { return o.Kind == command.Rerun })
	if i < 0 {
		return orders, nil, false
	}
	return orders[:i+1], orders[i+1:], true
}

// Times of waiting for a run that starts again.
const (
	againEvery = 50 * time.Millisecond // it is looked for
	againGone  = 10 * time.Second      // without a sign of it, it has ended for good
)

// startedAgain waits for the run that takes the place of one that a rerun has ended, and connects to it: what is asked next must not
// reach the one that ends. --timeout bounds it, and else the time in which nothing is seen of it.
func (f *doFlags) startedAgain(ctx context.Context, a *app, ended *remote.Client, dial remote.DialOptions) (*remote.Client, error) {
	if f.timed {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	began := time.Now()
	if w, width, ok := notices(a.stderr); ok {
		defer progress.While(w, width, func() string {
			return fmt.Sprintf("waiting for the run to start again, %v", time.Since(began).Round(100*time.Millisecond))
		})()
	}
	select {
	case <-ended.Ended():
	case <-ctx.Done():
		return nil, notAgain(ctx, ended.Name())
	}
	look := time.NewTicker(againEvery)
	defer look.Stop()
	for seen := time.Now(); time.Since(seen) < againGone; {
		client, err := remote.Dial(ctx, ended.Name(), dial)
		switch {
		case err == nil && client.Target().Started != ended.Target().Started:
			if _, err = client.First(ctx); err == nil {
				return client, nil
			}
			return nil, errors.Join(err, client.Close())
		case err == nil: // it has not closed its socket
			_ = client.Close()
			seen = time.Now()
		case startsNow(a, ended):
			seen = time.Now()
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return nil, notAgain(ctx, ended.Name())
		}
	}
	return nil, notAgain(ctx, ended.Name())
}

// startsNow reports whether a run of the workload of one that has ended compiles its kernel on this machine.
func startsNow(a *app, ended *remote.Client) bool {
	return slices.ContainsFunc(run.ListStarting(run.StartingDir(a.env)), func(s run.Starting) bool {
		return s.Name == ended.Name() || s.Name == ended.Target().Workload
	})
}

// notAgain is the error about a run that has ended and is not there again.
func notAgain(ctx context.Context, name string) error {
	if err := ctx.Err(); errors.Is(err, context.Canceled) {
		return err
	}
	return &fault.Error{Kind: remote.ErrNoTarget, Op: "rerun", Subject: name, Detail: "the run has ended and was not there again in time", Fix: "see what its terminal says, or vyretop list; a longer --timeout waits longer"}
}
