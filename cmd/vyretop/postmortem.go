package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/run"
)

// newPostmortem makes the command that explains how a run came to its end.
func newPostmortem(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	c := a.newLook("postmortem", "Explain how a run came to its end: verdict, faults, last activations, changed words", f, nil, func(ctx context.Context, s inspect.Subject) error {
		p, err := inspect.NewPostmortem(ctx, s)
		if err != nil {
			return err
		}
		if f.json {
			return writeJSON(a.stdout, p)
		}
		return p.Write(a.stdout)
	})
	c.Long = "postmortem explains how a run came to its end: the verdict on it, faults and errors, which words changed last, and what each worker did last.\n" +
		"A run that ends badly (a failed verification, an error, SIGTERM) keeps its last 10 s, at most 16 MiB, in the folder blackbox of the user's state and says so.\n\n" +
		"TARGET is a recording, or the name of a live run (default: the run that ended badly last)."
	look := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			newest, err := newestPast(a)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.stderr, "vyretop: the run that ended badly last: %s\n", newest)
			args = []string{newest}
		}
		return look(c, args)
	}
	return c
}

// errNoPast is the kind of the error about a postmortem where no run has ended badly.
const errNoPast fault.Kind = "no run has ended badly"

// pasts are the recordings that runs left that ended badly, the newest first.
func pasts(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*.mcap"))
	modified := func(file string) int64 {
		if info, err := os.Lstat(file); err == nil {
			return info.ModTime().UnixNano()
		}
		return 0
	}
	slices.SortFunc(files, func(x, y string) int { return cmp.Compare(modified(y), modified(x)) })
	return files
}

// newestPast is the newest recording of a run that ended badly.
func newestPast(a *app) (string, error) {
	dir := pastsDir(a)
	if files := pasts(dir); len(files) > 0 {
		return files[0], nil
	}
	return "", &fault.Error{Kind: errNoPast, Subject: cmp.Or(dir, "the user's state"), Detail: "it has the end of no run", Fix: "name a recording or a live run"}
}

// pastsDir is where runs that end badly leave their ends; "" for nowhere.
func pastsDir(a *app) string {
	if state := plainfile.StateDir(a.env); state != "" {
		return filepath.Join(state, "blackbox")
	}
	return ""
}

// keptPasts is how many runs the folder has at most: the newest.
const keptPasts = 8

// keepPast keeps the recent past of a run that ended badly, and says where.
func keepPast(a *app, run *run.Run, outcome run.Outcome, err error) {
	why := badEnd(a, run, outcome, err)
	dir := pastsDir(a)
	if why == "" || dir == "" {
		return
	}
	t := run.Header().Target
	file := filepath.Join(dir, fmt.Sprintf("%s-%s.mcap", filepath.Base(t.Workload), t.Started.UTC().Format("20060102T150405.000")))
	if err := run.KeepPast(file, why); err != nil {
		fmt.Fprintf(a.stderr, "vyretop: the end of the run was not kept: %v\n", &fileError{"write", file, err, plainfile.Fix(err)})
		return
	}
	fmt.Fprintf(a.stderr, "vyretop: the end of the run is kept; explain it with: vyretop postmortem %s\n", file)
	prune(dir, keptPasts)
}

// badEnd says what was wrong with the end of a run; "" for nothing. What the user ended with Ctrl-C is not bad.
func badEnd(a *app, run *run.Run, outcome run.Outcome, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled) && !a.interrupts.terminated.Load():
		return ""
	case a.interrupts.terminated.Load():
		return "the process was told to end by a signal"
	case err != nil && exitStatus(err) == exitUsage && !acted(run):
		return "" // the command line was wrong: there is nothing to explain, and a kept run would be pushed out
	case err != nil:
		return err.Error()
	case outcome.Verified && !outcome.Verification.OK:
		return "verification failed: " + outcome.Verification.Detail
	}
	return ""
}

// acted reports whether a task has begun.
func acted(run *run.Run) bool {
	s := run.Hub().Snapshot()
	return s != nil && s.Counters[megakernel.CountActivations] > 0
}

// prune removes the oldest recordings of a folder until keep are left. What cannot be removed stays.
func prune(dir string, keep int) {
	files := pasts(dir)
	for _, file := range files[min(keep, len(files)):] {
		_ = os.Remove(file)
	}
}
