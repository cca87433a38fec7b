package main

import (
	"context"
	"errors"

	"vyretop/engine/check"
	"vyretop/engine/reference"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/taskcheck"
)

// checkRecording executes the run of a recording again under the checkers, prints what they found and keeps the exit status.
func checkRecording(ctx context.Context, a *app, f *checkFlags, name string) (err error) {
	rec, err := inspect.OpenRecording(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	x, err := replay.NewExecutable(name, rec)
	if err != nil {
		return err
	}
	limited, cancel := limit(ctx, f.atMost)
	defer cancel()
	done := a.note("checking " + name + " (Ctrl-C ends with what was found)")
	report, err := taskcheck.Execute(x.Handler, func(w reference.Watcher, advances func()) error {
		return x.Execute(limited, replay.Execution{Seed: f.seed, Workers: taskcheck.Workers, Lanes: taskcheck.Lanes, Watcher: w, Advances: advances})
	})
	done()
	if err != nil && limited.Err() == nil {
		return err
	}
	return f.conclude(ctx, limited, a, check.NewDocument(name, report), "the run", err)
}

// conclude prints what was found and keeps the exit status; err is that of what was checked, which limited may have cut short.
func (f *checkFlags) conclude(ctx, limited context.Context, a *app, found check.Document, what string, err error) error {
	if limited.Err() != nil {
		found.Cut(what)
	}
	if limited.Err() != nil && ctx.Err() == nil {
		found.Incomplete += beyond(f.atMost)
		err = nil
	}
	if !found.OK {
		a.status = exitFailed
	}
	return errors.Join(err, printFindings(a, f, found))
}

// checkCapture runs the activation of a captured task under the checkers, prints what they found and keeps the exit status.
func checkCapture(ctx context.Context, a *app, f *checkFlags, name string) error {
	c, err := capture.Open(name)
	if err != nil {
		return err
	}
	limited, cancel := limit(ctx, f.atMost)
	defer cancel()
	report, err := taskcheck.Activation(limited, c)
	if err != nil && limited.Err() == nil {
		return err
	}
	return f.conclude(ctx, limited, a, check.NewDocument(name, report), "the activation", err)
}
