package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"vyretop/megakernel"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/remote"
)

// liveTarget is a run that a task is compared on.
type liveTarget struct{ *remote.Client }

// Now implements capture.Source.
func (l liveTarget) Now(ctx context.Context) (*megakernel.Snapshot, error) { return l.First(ctx) }

// compareTask has the interpreter and a live run carry out the next activation of a task, and prints in what they differ.
func compareTask(ctx context.Context, a *app, name string, set *pflag.FlagSet, f *taskFlags, control remote.Control, json bool) (err error) {
	switch {
	case !set.Changed("task"):
		if info, err := os.Stat(name); err == nil && !info.IsDir() || filepath.Ext(name) != "" {
			name = "RUN" // a file has no device that runs a task
		}
		return usage("--compare needs --task", "name a task of a live run: vyretop debug "+name+" --task ID --compare")
	case set.Changed("exec"), set.Changed("at"), shapeGiven(set) != "":
		return usage("--compare is of a task of a live run", "give TARGET, --task ID and --compare alone")
	}
	id, err := megakernel.ParseTaskName(f.task)
	if err != nil {
		return err
	}
	dir := remote.Dir(a.env)
	if name, err = liveOnly(ctx, dir, name, f.look.wait); err != nil {
		return err
	}
	client, err := remote.Dial(ctx, name, remote.DialOptions{Dir: dir, Client: "vyretop debug", Control: control, NoLog: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Close()) }()
	done := a.note("comparing the next activation of task " + megakernel.TaskName(id))
	c, result, err := capture.CompareOn(ctx, liveTarget{client}, capture.Options{Name: name, Task: id, Bytes: f.limit << 20})
	done()
	if err != nil {
		return err
	}
	if len(result.Differences) > 0 {
		a.status = exitFailed
	}
	if json {
		return writeJSON(a.stdout, capture.NewCompared(c, result))
	}
	return result.WriteText(a.stdout, c)
}

// liveOnly finds a live run, and says of a file that it is none.
func liveOnly(ctx context.Context, dir, name string, wait time.Duration) (string, error) {
	found, err := remote.Resolve(ctx, dir, name, wait)
	if errors.Is(err, remote.ErrNoTarget) {
		if info, missing := os.Stat(name); missing == nil && !info.IsDir() {
			return "", usage("--compare needs a live run, and "+name+" is a file: a device runs the activation", "name a run that vyretop list shows, or leave out --compare to debug the task of a recording")
		}
	}
	return found, err
}
