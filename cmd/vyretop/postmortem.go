package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/engine/plainfile"
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
	c.Long = "postmortem explains why a run ended: the verdict, faults and errors, the words that changed last, and what each worker did last.\n" +
		"A run that fails (verification, an error, SIGTERM) saves its last 10 s, at most 16 MiB, in the folder blackbox of the user's state and says so. If its process is killed, the last second or two are saved.\n\n" +
		"TARGET is a recording, or the name of a live run (default: the run that failed last)."
	look := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			run.Rescue(run.SurvivorDir(a.env), run.PastDir(a.env))
			newest, err := run.NewestPast(run.PastDir(a.env))
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

// keepPast keeps the recent past of a run that ended badly, and says where.
func keepPast(a *app, r *run.Run, outcome run.Outcome, err error) (file string) {
	why := badEnd(a, r, outcome, err)
	dir := run.PastDir(a.env)
	if why == "" || dir == "" {
		return ""
	}
	file, err = r.KeepPast(dir, why)
	if err != nil {
		fmt.Fprintf(a.stderr, "vyretop: the end of the run was not kept: %v\n", plainfile.Failure("write", file, err, plainfile.Fix(err)))
		return ""
	}
	fmt.Fprintf(a.stderr, "vyretop: the end of the run is kept; explain it with: vyretop postmortem %s\n", file)
	return file
}

// badEnd says what was wrong with the end of a run; "" for nothing. What the user ended with Ctrl-C is not bad.
func badEnd(a *app, run *run.Run, outcome run.Outcome, err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled) && !a.interrupts.terminated.Load():
		return ""
	case a.interrupts.terminated.Load():
		return "the process was told to end by a signal"
	case err != nil && exitStatus(err) == exitUsage && !run.Acted():
		return "" // the command line was wrong: there is nothing to explain, and a kept run would be pushed out
	case err != nil:
		return err.Error()
	case outcome.Verified && !outcome.Verification.OK:
		return "verification failed: " + outcome.Verification.Detail
	}
	return ""
}
