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
	found := check.NewDocument(name, report)
	if limited.Err() != nil {
		found.Cut("the run")
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

// notCapture refuses a capture: it holds one activation, and neither a run nor what happens between tasks is in it.
func notCapture(name string) error {
	if !capture.IsCapture(name) {
		return nil
	}
	return usage(name+" is a capture of one task", "check the workload or a recording of the run; vyretop debug "+name+" steps through the capture, and names what GLSL leaves undefined")
}
