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

	"vyretop/cmd/vyretop/internal/report"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/run"
	"vyretop/plainfile"
)

// newPostmortem makes the command that explains how a run came to its end.
func newPostmortem(a *app) *cobra.Command {
	f := &lookFlags{}
	c := a.newLook("postmortem", "Explain how a run came to its end: verdict, faults, last activations, changed words", f, nil, func(ctx context.Context, s inspect.Subject) error {
		p, err := inspect.NewPostmortem(ctx, s)
		if err != nil {
			return err
		}
		if f.json {
			return report.WriteJSON(a.stdout, p)
		}
		return p.Write(a.stdout)
	})
	c.Long = "postmortem explains how a run came to its end: the verdict on it, faults and errors, which words changed last, and what each worker did last.\n" +
		"A run that ends badly (a failed verification, an error, SIGTERM) keeps its last 10 s, at most 16 MiB, in the folder blackbox of the user's state and says so." + lookUsage
	return c
}

// keptPasts is how many runs the folder has at most: the newest.
const keptPasts = 8

// keepPast keeps the recent past of a run that ended badly, and says where.
func keepPast(a *app, run *run.Run, outcome run.Outcome, err error) {
	why := badEnd(a, outcome, err)
	state := plainfile.StateDir(a.env)
	if why == "" || state == "" {
		return
	}
	t := run.Header().Target
	dir := filepath.Join(state, "blackbox")
	file := filepath.Join(dir, fmt.Sprintf("%s-%s.mcap", filepath.Base(t.Workload), t.Started.UTC().Format("20060102T150405.000")))
	if err := run.KeepPast(file, why); err != nil {
		fmt.Fprintf(a.stderr, "vyretop: the end of the run was not kept: %v\n", &fileError{"write", file, err, plainfile.Fix(err)})
		return
	}
	fmt.Fprintf(a.stderr, "vyretop: the end of the run is kept; explain it with: vyretop postmortem %s\n", file)
	prune(dir, keptPasts)
}

// badEnd says what was wrong with the end of a run; "" for nothing. What the user ended with Ctrl-C is not bad.
func badEnd(a *app, outcome run.Outcome, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled) && !a.interrupts.terminated.Load():
		return ""
	case a.interrupts.terminated.Load():
		return "the process was told to end by a signal"
	case err != nil:
		return err.Error()
	case outcome.Verified && !outcome.Verification.OK:
		return "verification failed: " + outcome.Verification.Detail
	}
	return ""
}

// prune removes the oldest recordings of a folder until keep are left. What cannot be removed stays.
func prune(dir string, keep int) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.mcap"))
	modified := func(file string) int64 {
		if info, err := os.Lstat(file); err == nil {
			return info.ModTime().UnixNano()
		}
		return 0
	}
	slices.SortFunc(files, func(x, y string) int { return cmp.Compare(modified(y), modified(x)) })
	for _, file := range files[min(keep, len(files)):] {
		_ = os.Remove(file)
	}
}
