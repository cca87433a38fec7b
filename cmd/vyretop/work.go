package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"vyretop/engine"
	"vyretop/engine/vitals"
	"vyretop/fixtures"
	"vyretop/gl/nvml"
	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/workload"
	"vyretop/tui"
	"vyretop/tui/progress"
)

// runOn runs a workload on an opened backend, and again where its device was lost. again makes the workload, shape is what
// was found for it, or nil.
func (f *runFlags) runOn(ctx context.Context, a *app, name string, again func() (workload.Workload, error), backend engine.Backend, shape *tune.Entry) error {
	return run.Retry(ctx, append([]engine.Backend{backend}, f.more...), f.told.record, func(t *run.Attempt) error {
		w, err := again()
		if err != nil {
			return err
		}
		err = f.runOnce(ctx, a, name, w, backend, shape, t)
		for n := 2; err == nil && f.again && ctx.Err() == nil; n++ {
			if w, err = f.reopen(); err != nil {
				return err
			}
			a.status, f.exec.lines, f.exec.orders = exitOK, nil, nil // a script was carried out
			next := *t
			if f.told.record != "" {
				next.Record = run.Numbered(f.told.record, t.Losses+n)
			}
			a.warnText("the run starts again")
			err = f.runOnce(ctx, a, name, w, backend, shape, &next)
		}
		return err
	}, func(notice string) { fmt.Fprintln(a.stderr, "vyretop: "+notice) })
}

// runOnce runs a workload to its end, and prints what came of it. A recording of a hub gets there while it is written.
func (f *runFlags) runOnce(ctx context.Context, a *app, name string, w workload.Workload, backend engine.Backend, shape *tune.Entry, t *run.Attempt) error {
	r, err := f.hub.recordAtHub(ctx, a, t.Record, "vyretop run --record")
	if err != nil {
		return err
	}
	if r == nil {
		return f.runHere(ctx, a, name, w, backend, shape, t)
	}
	here := *t
	here.Record = r.file
	return errors.Join(f.runHere(ctx, a, name, w, backend, shape, &here), r.end())
}

// runHere runs a workload to its end, with a shape that was found for it unless that is nil, and prints what came of
// it.
func (f *runFlags) runHere(ctx context.Context, a *app, name string, w workload.Workload, backend engine.Backend, shape *tune.Entry, t *run.Attempt) error {
	c := run.Config{
		Workload: w, Backend: backend, More: f.more, WorkgroupSize: f.workgroupSize, CheckAccess: f.checkAccess, NoInline: f.noInline, StartNow: f.start == startNow,
		Want:   policy.Config{Workers: uint32(f.workers), MaxWallTime: f.atMost},
		Record: t.Record, Segments: f.told.segments.of(), Label: f.label, Version: version, Mode: run.Mode(f.mode), Vitals: vitalsFor(backend),
		Handlers: f.handlers, Survivors: run.SurvivorDir(a.env), Surviving: func(file string) { f.hub.survives(a, file) },
	}
	c.Log, _ = f.logSettings() // checked
	if !f.interactive(a) {
		c.Warn = a.warnText
	}
	if f.out != nil {
		c.Outputs = f.out.buffers
	}
	leaveQueue := f.queue.join(a, &c)
	defer leaveQueue()
	if shape != nil {
		c.Want.Workers, c.Lanes, c.Slice = uint32(shape.Workers), shape.Lanes, shape.Slice
		if f.workgroupSize == 0 {
			c.WorkgroupSize = shape.Workgroup
		}
		c.Tuned = &megakernel.Shape{Workers: shape.Workers, Lanes: shape.Lanes}
	}
	listed := run.Starting{Name: name, Process: os.Getpid(), Device: deviceName(backend), Since: time.Now()}.Announce(run.StartingDir(a.env))
	started, err := a.launch(ctx, name, &c)
	if err != nil {
		listed()
		return err
	}
	if f.interactive(a) || f.linear || f.paused {
		started.Hub().Attend()
	}
	if t.Losses > 0 {
		started.Hub().Event("recovered", t.Notice)
	}
	server, stopListening, err := f.listen(a, started)
	if err != nil {
		listed()
		return errors.Join(err, started.Close())
	}
	endMetrics, err := serveOwn(ctx, a, f.told.metrics, started)
	if err != nil {
		listed()
		stopListening()
		return errors.Join(err, started.Close())
	}
	watching, unwatch := context.WithCancel(ctx)
	defer unwatch()
	listed() // as a run that can be reached now
	savedHits := started.SaveHits(fixtures.MomentSaver(a.env, started.Header()))
	var outcome run.Outcome
	if err = f.watchHandlers(watching, a, started); err == nil {
		err = f.prelude(ctx, a, started)
	}
	if err == nil {
		outcome, err = f.work(ctx, a, started, server)
		outcome.Began = a.began
	}
	unwatch()
	err = errors.Join(err, endMetrics())
	f.keepForAgain(started)
	for _, line := range savedHits() {
		fmt.Fprintln(a.stderr, "vyretop: "+line)
	}
	f.hub.keepAtHub(a, keepPast(a, started, outcome, err))
	a.compiling = started.Compiling()
	closed := closeRun(a, started, t.Record, func() {
		if err == nil {
			_ = f.printOutcome(a, outcome) // the exit status says that something failed
		}
		stopListening()
	})
	stopListening()
	if err != nil {
		return err // closing only says the same again
	}
	// What was computed is there, whatever became of the recording and of files.
	if f.again && f.json {
		return errors.Join(outcome.Unwritten, closed) // one document is printed, that of the last run
	}
	return errors.Join(f.printOutcome(a, outcome), outcome.Unwritten, closed)
}

// watchHandlers follows the files of the workload with --watch. A dashboard shows what came of it; without one it goes to stderr.
func (f *runFlags) watchHandlers(ctx context.Context, a *app, r *run.Run) error {
	if !f.watched {
		return nil
	}
	quiet := f.interactive(a)
	return r.WatchHandlers(ctx, func(text string, err error) {
		switch {
		case quiet:
		case err != nil:
			a.warnText("not reloaded: " + err.Error())
		default:
			a.warnText("reloaded: " + text)
		}
	})
}

// launch starts a run, and says on a terminal how long the driver compiles its kernel already, and how long it did the last time.
func (a *app) launch(ctx context.Context, name string, c *run.Config) (*run.Run, error) {
	waits, of := run.WaitsOf(a.env), name+" on "+c.Backend.Identity().Renderer
	began := time.Now()
	compiling := a.noteSince("compiling the kernel for "+deviceName(c.Backend), began, waits.Last(of))
	heard := withoutEcho(ctx, a.stdin)
	started, err := run.Launch(ctx, *c)
	heard()
	compiling()
	if err == nil {
		waits.Keep(of, time.Since(began))
	}
	return started, err
}

// withoutEcho keeps the terminal behind a stream from showing what is typed, until the function that it returns is called, or the context ends.
func withoutEcho(ctx context.Context, stream any) (end func()) {
	file, ok := terminal(stream)
	if !ok {
		return func() {}
	}
	restore := silence(file)
	stop := context.AfterFunc(ctx, restore)
	return func() {
		stop()
		restore()
	}
}

// deviceName is that of a backend's device.
func deviceName(b engine.Backend) string { return deviceNameOf(b.Identity().Renderer) }

// deviceNameOf is the part of the name that a driver gives its device that tells devices apart, such as "NVIDIA H100 80GB HBM3".
func deviceNameOf(renderer string) string {
	name, _, _ := strings.Cut(renderer, "/")
	return name
}

// noteSince says on a terminal how long something takes already, and how long it took the last time unless that is 0, until the
// function that it returns is called.
func (a *app) noteSince(text string, began time.Time, last time.Duration) (done func()) {
	w, width, ok := notices(a.stderr)
	if !ok {
		return func() {}
	}
	return progress.While(w, width, func() string { return waitLine(width()-1, text, time.Since(began), last) })
}

// waitLine is a line of at most width characters about a wait. How long it took the last time is left out, not cut, where there is no room.
func waitLine(width int, text string, takes, last time.Duration) string {
	line := fmt.Sprintf("%s, %v", text, takes.Round(progress.Interval))
	for _, words := range []string{"last time", "last"} {
		with := fmt.Sprintf("%s (%s %v)", line, words, last.Round(100*time.Millisecond))
		if last > 0 && utf8.RuneCountInString(with) <= width {
			return with
		}
	}
	return line
}

// closeRun ends a run. A wait for the disk of its recording is told, and the user may leave without the rest of it, after
// what remains to be done.
func closeRun(a *app, run *run.Run, record string, remains func()) error {
	if record == "" {
		return run.Close()
	}
	told, taker := func() {}, fixtures.Taker(record)
	fix := "replay what is there, and record to a faster " + taker
	if w, width, ok := notices(a.stderr); ok {
		format := "waiting for the " + taker + " of recording " + strings.ReplaceAll(filepath.Base(record), "%", "%%") + " for %v (Ctrl-C leaves without the rest of it)"
		told = sync.OnceFunc(progress.Since(w, width, format, time.Now()))
	}
	defer told()
	defer a.interrupts.first(func() {
		told() // or it would be drawn once more, behind the results
		fmt.Fprintln(a.stderr, "vyretop: "+record+": the end of the recording was not written. Fix: "+fix)
		remains()
		os.Exit(exitFailed)
	})()
	return run.Close()
}

// vitalsFor is what reads the devices of the host; nil for a backend that runs on none of them.
func vitalsFor(backend engine.Backend) vitals.Opener {
	if p := backend.Profile(); p.SoftwareDevice.Or(false) {
		return nil
	}
	return nvml.Open
}

// note says on a terminal what takes so long, until the function that it returns is called.
func (a *app) note(text string) (done func()) {
	w, width, ok := notices(a.stderr)
	if !ok {
		return func() {}
	}
	return progress.Note(w, width(), text)
}

// work runs the workload under the dashboard or the progress bar, and finishes the run.
func (f *runFlags) work(ctx context.Context, a *app, r *run.Run, server *remote.Server) (run.Outcome, error) {
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	g := newGate(&f.viewFlags)
	checks, skip := context.WithCancel(ctx)
	defer skip()
	x := &exit{app: a, job: run.Begin(limited, r, g.opened, f.checksBeside(a, checks)), checks: checks, skip: skip, server: server}
	go x.job.EndWith(limited, cancel)
	if !f.interactive(a) {
		defer a.interrupts.first(func() {
			x.interrupt()
			_ = r.Hub().Stop(ctx)
		})()
	}
	err := f.show(limited, a, r, x, g)
	if err == nil && x.detaching() {
		err = x.detach(ctx)
	} else {
		cancel() // what the dashboard left running
	}
	x.awaitVerdict()
	if err != nil || x.job.Failure(ctx) != nil {
		return run.Outcome{}, errors.Join(err, x.job.Err())
	}
	return x.finish(ctx)
}

// checksBeside is the context of verification while a dashboard shows the run; nil without one.
func (f *runFlags) checksBeside(a *app, checks context.Context) context.Context {
	if f.interactive(a) {
		return checks
	}
	return nil
}

// show keeps the user informed: under the dashboard until it is left, otherwise until the work is over.
func (f *runFlags) show(ctx context.Context, a *app, run *run.Run, x *exit, g *gate) error {
	if f.interactive(a) {
		return f.dashboard(ctx, a, tui.Options{Ready: g.open, Owner: x.ownerAt(f), Source: run.Hub(), Sink: run.Hub(), ReadOnly: f.readOnly, Subject: x.name(), Save: fixtures.MomentSaver(a.env, run.Header())})
	}
	return f.perform(ctx, a, run.Hub(), g, func(scripted context.Context) error {
		defer context.AfterFunc(scripted, func() {
			if ctx.Err() == nil { // the script has failed
				_ = run.Hub().Stop(ctx)
			}
		})()
		return f.watch(scripted, a, run, x.job)
	})
}

// watch tells what the run does, or how far it is, until its work is over.
func (f *runFlags) watch(ctx context.Context, a *app, r *run.Run, j *run.Job) error {
	if f.linear {
		err := a.tell(ctx, r.Hub(), j.Ended())
		return errors.Join(err, j.Rest(ctx))
	}
	if w, width, ok := notices(a.stderr); ok {
		progress.Show(j.Ended(), w, width, r.Progress)
	}
	return j.Rest(ctx)
}

// printOutcome prints a run in the form that was asked for, and keeps the exit status.
func (f *runFlags) printOutcome(a *app, o run.Outcome) error {
	if o.Verified && !o.Verification.OK {
		a.status = exitFailed
		fmt.Fprintln(a.stderr, "vyretop: verification failed: "+o.Verification.Detail)
	}
	switch {
	case o.Forgone:
		a.status = exitFailed
		fmt.Fprintln(a.stderr, "vyretop: the work has ended, and its result is not verified: the verification was not waited for")
	case !o.Verified:
		a.status = exitFailed
		fmt.Fprintln(a.stderr, "vyretop: the run was cut short: its results are partial and not verified")
	}
	for _, w := range o.Outputs {
		if w.Partial {
			fmt.Fprintf(a.stderr, "vyretop: %s: buffer %s is partial, as it was when the run was cut short\n", w.File, w.Buffer)
		}
	}
	if f.json {
		return writeJSON(a.stdout, run.NewDocument(&o))
	}
	return run.WriteSummary(a.stdout, &o)
}
