package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/tui"
	"vyretop/tui/progress"
)

// signaled is what the status of a process that a signal has ended is above.
const signaled = 128

// supervised runs an interactive run in a process of its own, which can leave the terminal, and reports whether it did. Where
// that is not possible the run happens in this process, and its dashboard says why it cannot detach.
func (f *runFlags) supervised(a *app) bool {
	run.WatchSupervisor(a.env)
	if !f.interactive(a) || run.Supervised(a.env) {
		return false
	}
	status, text, err := run.Supervise(a.args, a.env)
	if err != nil {
		return false
	}
	a.status = status
	fmt.Fprint(a.stderr, text)
	if status > signaled {
		f.hub.sendKilled(a)
	}
	return true
}

// exit is how a run is left: with its end, with or without a verdict, or detached.
type exit struct {
	app     *app
	job     *run.Job
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
	o := &tui.Owner{Stage: x.stage, Interrupt: x.interrupt}
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

// stage is how far the run is.
func (x *exit) stage() (tui.Stage, time.Time) {
	select {
	case <-x.job.Ended():
		return tui.Over, time.Time{}
	default:
	}
	if since, begun := x.job.Verifying(); begun {
		return tui.Verifying, since
	}
	return tui.Working, time.Time{}
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
	case <-x.job.Ended():
	case <-ctx.Done():
	}
	return nil
}

// awaitVerdict waits for the end of the work, and of a verification that has begun.
func (x *exit) awaitVerdict() {
	since, begun := x.job.Verifying()
	if !begun || x.hurried.Load() {
		<-x.job.Ended()
		return
	}
	defer x.app.noteVerifying(since)()
	<-x.job.Ended()
}

// noteVerifying tells on a terminal since when the result is verified, until the function that it returns is called.
func (a *app) noteVerifying(since time.Time) (done func()) {
	w, width, ok := notices(a.stderr)
	if !ok {
		return func() {}
	}
	return progress.Since(w, width, "verifying, %v (Ctrl-C ends without the verdict)", since)
}

// finish ends the run and collects what came of it.
func (x *exit) finish(ctx context.Context) (run.Outcome, error) {
	return x.job.Finish(ctx, run.Leaving{
		Checks: x.checks, Hurried: x.hurried.Load, Verifying: func() func() { return x.app.noteVerifying(time.Now()) },
	})
}
