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
		return "", false, err
	}
	if given := shapeGiven(set); given != "" {
		return "", false, usage(given+" is of a compute shader, and "+name+" is a live run", "leave it out")
	}
	return run, true, nil
}

// runSession is a session of the terminal debugger that is attached to a live run.
type runSession struct {
	name     string
	bytes    int // most bytes of buffers that are captured of a task
	control  remote.Control
	script   string
	json     bool
	onDetach string // what becomes of a held task; "" to ask
}

// detachTime bounds what leaving a run takes.
const detachTime = 30 * time.Second

// debug attaches to the run, carries out commands, and leaves it.
func (o *runSession) debug(ctx context.Context, a *app) (err error) {
	if o.onDetach != "" && o.onDetach != "resume" && o.onDetach != "leave" {
		return usage(fmt.Sprintf("invalid --on-detach %q", o.onDetach), "use resume or leave")
	}
	run, err := attachRun(ctx, a, o.name, o.bytes, "vyretop debug", o.control)
	if err != nil {
		return err
	}
	text := repl.NewSources(run.Text)
	r := &repl.REPL{Out: a.stdout, JSON: o.json, Line: text.Line, Lines: text.Count, Suggest: fault.Suggest}
	repl.Attach(r, run)
	end := attach.Resume
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
		err = errors.Join(err, left)
	}()
	return converse(ctx, a, r, text, o.script, func() error { return repl.Begin(r) }, func(t *repl.Terminal) {
		if t == nil || o.onDetach != "" {
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
