package run

import (
	"context"
	"errors"
	"slices"
	"time"

	"vyretop/engine/fault"
	"vyretop/megakernel/remote"
)

// Times of waiting for a run that starts again.
const (
	againEvery = 50 * time.Millisecond // it is looked for
	againGone  = 10 * time.Second      // without a sign of it, it has ended for good
)

// DialAgain waits for the run that takes the place of one that a rerun has ended, and connects to it: what is asked next must not
// reach the one that ends. The context bounds it, and the time in which nothing is seen of the run. starting is where runs are listed
// whose kernel is compiled. The error matches remote.ErrNoTarget if the run was not there in time.
func DialAgain(ctx context.Context, ended *remote.Client, dial remote.DialOptions, starting string) (*remote.Client, error) {
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
		case startsNow(ended, starting):
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
func startsNow(ended *remote.Client, starting string) bool {
	return slices.ContainsFunc(ListStarting(starting), func(s Starting) bool {
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
