package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/inspect"
)

// newBreakpoints makes the command that prints the breakpoints of a live run, or tries one on samples.
func newBreakpoints(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	dry, span := "", 2*time.Second
	c := a.newLook("breakpoints", "Print the breakpoints of a live run and their hits, or dry-run one", f, func(s *pflag.FlagSet) {
		f.registerFilter(s)
		s.StringVar(&dry, "dry-run", "", "report what this breakpoint (syntax of vyretop do bp) would hit in a recording or in the next samples of a live run, without setting it")
		s.DurationVar(&span, "for", span, "dry run: how long to watch a live run (0: until it ends)")
	}, func(ctx context.Context, s inspect.Subject) error {
		if dry != "" {
			return a.dryRun(ctx, s, f, dry, span)
		}
		return writeTable(ctx, a, s, f, inspect.BreakpointListing)
	})
	c.Example = "vyretop do 'bp op=7 and tenant!=2 hit>100 log'\nvyretop breakpoints --json\nvyretop breakpoints --dry-run 'op=7 and yields>3' run.mcap\nvyretop do bp delete all"
	return c
}

// dryRun tries a breakpoint on the samples of a recording, or of a live run for a while.
func (a *app) dryRun(ctx context.Context, s inspect.Subject, f *lookFlags, text string, span time.Duration) error {
	t, err := inspect.TryBreakpoint(ctx, s, text, span)
	if err != nil {
		return err
	}
	if f.json {
		return writeJSON(a.stdout, breakpoint.NewDocument(t))
	}
	_, err = fmt.Fprintf(a.stdout, "%s: %s\n%s\n", t.Breakpoint.String(), t, t.Basis())
	return err
}
