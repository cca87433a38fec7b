package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine/debugger/attach"
	"vyretop/engine/debugger/repl"
	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel/remote"
)

// liveRunNamed finds the live run that the argument of debug names. It is not one where a task or a file is named; a folder has the
// name of its runs.
func liveRunNamed(ctx context.Context, a *app, name string, set *pflag.FlagSet, wait time.Duration) (run string, live bool, err error) {
	info, missing := os.Stat(name)
	if set.Changed("task") || !isTarget(name) || fixtures.IsRecording(name) || missing == nil && !info.IsDir() {
		return "", false, nil
	}
	run, err = remote.Resolve(ctx, remote.Dir(a.env), name, wait)
	if err != nil {
		return name, false, err
	}
	if given := shapeGiven(set); given != "" {
		return "", false, usage(given+" is of a compute shader, and "+name+" is a live run", "leave it out")
	}
	return run, true, nil
}

// runSession is a session of the terminal debugger that is attached to a live run.
type runSession struct {
	name     string
	starts   bool   // name is the folder of a workload that is to be started,
	backend  string // on this backend
	bytes    int    // most bytes of buffers that are captured of a task
	control  remote.Control
	script   string
	json     bool
	onDetach string // what becomes of a held task; "" to ask
}

// open attaches to the run, or starts it.
func (o *runSession) open(ctx context.Context, a *app) (attach.Run, error) {
	if !o.starts {
		return attachRun(ctx, a, o.name, o.bytes, "vyretop debug", o.control)
	}
	done := a.note("starting " + o.name + ", whose kernel is compiled first")
	run, err := startRun(ctx, a, o.name, o.backend, "vyretop debug", o.bytes)
	done()
	if err != nil {
		return nil, err
	}
	if !o.json {
		fmt.Fprintln(a.stdout, startedNote(run.Name()))
	}
	return run, nil
}

// detachTime bounds what leaving a run takes.
const detachTime = 30 * time.Second

// debug attaches to the run, carries out commands, and leaves it.
func (o *runSession) debug(ctx context.Context, a *app) (err error) {
	if o.onDetach != "" && o.onDetach != "resume" && o.onDetach != "leave" {
		return usage(fmt.Sprintf("invalid --on-detach %q", o.onDetach), "use resume or leave")
	}
	run, err := o.open(ctx, a)
	if err != nil {
		return err
	}
	text := repl.NewSources(run.Text)
	r := &repl.REPL{Out: a.stdout, JSON: o.json, Line: text.Line, Lines: text.Count, Suggest: fault.Suggest}
	repl.Attach(r, run)
	end := attach.Resume
	if o.starts {
		end = attach.Terminate
	}
	if o.onDetach == "leave" {
		end = attach.Leave
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), detachTime)
		defer cancel()
		left := run.Detach(ctx, end)
		if left == nil {
			repl.End(r, end)
		}
		if x, ok := run.(*startedRun); ok && x.over {
			fmt.Fprint(a.stderr, x.output)
		}
		err = errors.Join(err, left)
	}()
	return converse(ctx, a, r, text, o.script, func() error { return repl.Begin(r) }, func(t *repl.Terminal) {
		if t == nil || o.onDetach != "" || o.starts {
			return
		}
		t.Leaving = func() string {
			if task := repl.Holding(r); task != "" {
				return fmt.Sprintf("task %s is held. Resume it? [Y/n] ", task)
			}
			return ""
		}
		t.Answered = func(answer string) {
			if strings.HasPrefix(strings.ToLower(answer), "n") {
				end = attach.Leave
			}
		}
	})
}
