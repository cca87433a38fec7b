package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"vyretop/engine/check"
	"vyretop/megakernel/taskcheck"
	"vyretop/megakernel/workload"
)

// checkTasks runs a workload under the checkers, prints what they found and keeps the exit status.
func checkTasks(ctx context.Context, a *app, f *checkFlags, d workload.Definition, s *pflag.FlagSet, name string) error {
	done := a.note("checking " + name + " (Ctrl-C ends with what was found)")
	r, err := taskcheck.Run(ctx, taskcheck.Config{Definition: d, Values: workloadValues(s, d), Seed: f.seed, For: f.atMost})
	done()
	if err != nil && !r.Started {
		return err
	}
	found := check.NewDocument(name, r.Report)
	if !r.Ended {
		found.Cut("the run")
		switch {
		case r.Stalled != "":
			found.Incomplete += " (" + r.Stalled + ")"
		case ctx.Err() == nil && err == nil:
			found.Incomplete += beyond(f.atMost)
		}
	}
	if r.Ended && !r.Verified {
		found.FailVerification(r.Detail)
		fmt.Fprintf(a.stderr, "vyretop: %s: verification failed: %s\n", name, r.Detail)
	}
	if !found.OK {
		a.status = exitFailed
	}
	return errors.Join(err, printFindings(a, f, found))
}
