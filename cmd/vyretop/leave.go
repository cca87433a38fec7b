package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"vyretop/cmd/vyretop/internal/progress"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/tui"
)

// supervised runs an interactive run in a process of its own, which can leave the terminal, and reports whether it did. Where
// that is not possible the run happens in this process, and its dashboard says why it cannot detach.
func (a *app) supervised(f *runFlags) bool {
	run.WatchSupervisor(a.env)
	if !a.interactive(f) || run.Supervised(a.env) {
		return false
	}
	status, text, err := run.Supervise(a.args, a.env)
	if err != nil {
		return false
	}
	a.status = status
	fmt.Fprint(a.stderr, text)
	return true
}

// exit is how a run is left: with its end, with or without a verdict, or detached.
type exit struct {
	app     *app
	job     *job
	checks  context.Context // of the verification
	server  *remote.Server  // nil where other processes cannot attach
	skip    func()          // ends checks
	hurried atomic.Bool     // the user does not wait for the verdict
	log     atomic.Pointer[run.DetachedLog]
}

// name is what other processes call the run, "" where they cannot attach.
func (x *exit) name() string {
	if x.server == nil {
		return ""
	}
	return x.server.Name()
}

// owner is what the dashboard of the run needs to leave it.
func (x *exit) owner() *tui.Owner {
	o := &tui.Owner{Stage: x.job.stage, Interrupt: x.interrupt}
	switch why := run.Impossible(x.app.env); {
	case why != "":
		o.NoDetach = why
	case x.server == nil:
		o.NoDetach = "other terminals cannot attach"
	default:
		o.Detach = x.prepare
	}
	return o
}

// interrupt ends the run without waiting for a verdict.
func (x *exit) interrupt() {
	x.hurried.Store(true)
	x.skip()
}

// prepare makes what a detached run needs; until the dashboard has left, it can still fail.
func (x *exit) prepare(context.Context) error {
	log, err := run.CreateDetachedLog(run.DetachedDir(x.app.env), x.name())
	if err == nil {
		x.log.Store(log)
	}
	return err
}

func (x *exit) detaching() bool { return x.log.Load() != nil }

// detach leaves the terminal and waits for the end of the work and of its verification.
func (x *exit) detach(ctx context.Context) error {
	x.server.Unsteer()
	name := x.name()
	text := fmt.Sprintf("vyretop: %s keeps running without a terminal\n  watch   vyretop attach %s\n  steer   vyretop attach %s --control\n  end     vyretop do stop --target %s\n  result  vyretop attach %s, after the end; vyretop list names it\n", name, name, name, name, name)
	if err := x.log.Load().Leave(text); err != nil {
		return err
	}
	x.app.detached = x.log.Load()
	select {
	case <-x.job.ended:
	case <-ctx.Done():
	}
	return nil
}

// awaitVerdict waits for the end of the work, and of a verification that has begun.
func (x *exit) awaitVerdict() {
	since := x.job.verifying.Load()
	if since == nil || x.hurried.Load() {
		<-x.job.ended
		return
	}
	defer x.app.noteVerifying(*since)()
	<-x.job.ended
}

// noteVerifying tells on a terminal since when the result is verified, until the function that it returns is called.
func (a *app) noteVerifying(since time.Time) (done func()) {
	file, ok := terminal(a.stderr)
	if !ok {
		return func() {}
	}
	return progress.Since(file, func() int { return columns(file) }, "verifying, %v (Ctrl-C ends without the verdict)", since)
}

// finish ends the run and collects what came of it. A run whose work has ended has a result, also when it is told to end
// during the verification.
func (x *exit) finish(ctx context.Context, run *run.Run) (run.Outcome, error) {
	complete := x.job.err == nil
	if complete && !run.Checked() && !x.hurried.Load() {
		done := x.app.noteVerifying(time.Now())
		run.Verify(x.checks)
		done()
	}
	if complete && !run.Checked() && (x.hurried.Load() || ctx.Err() != nil) {
		run.Forgo()
		ctx = context.WithoutCancel(ctx)
	}
	return run.Finish(ctx, complete)
}
