package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/fixtures"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/stats"
)

// newLog makes the command that prints the debug log.
func newLog(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	l := &inspect.Lines{Log: true}
	return a.newLook("log", "Print the debug log of a target; -f follows it", f, f.registerFollow, func(ctx context.Context, s inspect.Subject) error {
		return f.printLines(ctx, a, s, l, func(text string) (*filter.Expr, error) {
			target := s.Header().Target
			return inspect.LogTable.FilterOf(&target, text)
		})
	})
}

// newEvents makes the command that prints what happened on the host's side.
func newEvents(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	l := &inspect.Lines{Events: true}
	return a.newLook("events", "Print the events of a target: commands, answers, changes, errors", f, f.registerFollow, func(ctx context.Context, s inspect.Subject) error {
		return f.printLines(ctx, a, s, l, inspect.EventTable.Filter)
	})
}

func (f *lookFlags) registerFollow(s *pflag.FlagSet) {
	f.registerFilter(s)
	s.BoolVarP(&f.follow, "follow", "f", false, "print new lines until the target ends")
}

// printLines prints the log or the events of a subject, and with --follow what comes.
func (f *lookFlags) printLines(ctx context.Context, a *app, s inspect.Subject, l *inspect.Lines, parse func(text string) (*filter.Expr, error)) (err error) {
	l.W, l.JSON, l.Subject = a.stdout, f.json, s
	if l.Keep, err = parse(f.filter); err != nil {
		return err
	}
	if f.failIf != "" {
		if l.Fail, err = parse(f.failIf); err != nil {
			return err
		}
	}
	if f.follow {
		return f.followLines(ctx, a, s, l)
	}
	if _, err := s.Now(ctx); err != nil && !withoutSnapshot(s, err) { // what was logged comes before the first snapshot
		return err
	}
	out := bufio.NewWriter(a.stdout)
	l.W = out
	err = s.History(ctx, fixtures.Wanted{Log: l.Log, Events: l.Events}, l.Take)
	return f.ended(a, l, errors.Join(err, out.Flush()))
}

// withoutSnapshot reports whether a recording has no snapshot that can be read, which log and events do without.
func withoutSnapshot(s inspect.Subject, err error) bool {
	var damage *fixtures.Damage
	return s.Kind() == inspect.Recording && (errors.Is(err, inspect.ErrNoSnapshot) || errors.As(err, &damage))
}

// followLines prints what a subject says until it ends.
func (f *lookFlags) followLines(ctx context.Context, a *app, s inspect.Subject, l *inspect.Lines) error {
	return f.ended(a, l, s.Follow(ctx, l.Take))
}

// ended turns the end of printing because a condition is true into the exit status.
func (f *lookFlags) ended(a *app, l *inspect.Lines, err error) error {
	if l.Failed() {
		f.tellMatch(a, true)
		return nil
	}
	return err
}

// newStream makes the command that prints a line for every sample.
func newStream(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	count := 0
	c := a.newLook("stream", "Print a line of metrics for every sample until the target ends", f, func(s *pflag.FlagSet) {
		s.DurationVar(&f.interval, "interval", time.Second, "minimum interval between samples of a live run (0: every sample)")
		s.IntVar(&count, "count", 0, "stop after N samples (0: no limit)")
	}, func(ctx context.Context, s inspect.Subject) (err error) {
		if count < 0 {
			return usage(fmt.Sprintf("invalid --count %d: must not be negative", count), "use 1 or more, or 0 for all")
		}
		l := &inspect.Lines{W: a.stdout, JSON: f.json, Subject: s, Samples: true}
		if f.failIf != "" {
			if l.Fail, err = filter.Parse(f.failIf, stats.MetricNames()); err != nil {
				return err
			}
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		left := count
		return f.ended(a, l, s.Follow(ctx, func(m *fixtures.StreamMessage) error {
			err := l.Take(m)
			if m.Snapshot != nil {
				if left--; left == 0 {
					cancel()
				}
			}
			return err
		}))
	})
	c.Long = "stream prints a line of metrics for every sample of a target until the target ends, or until --fail-if matches." + lookUsage
	return c
}

// newRecord makes the command that records a live run.
func newRecord(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	atMost, segments := time.Duration(0), segmentFlags{}
	c := &cobra.Command{
		Use: "record FILE [NAME]", Short: "Record a live run from another terminal",
		Long: "record writes a live run to a new recording until the run ends. NAME defaults to the only live run. Ctrl-C ends the recording; the run continues. " +
			"FILE may be at a hub, to which the recording is uploaded while it is written: nats://HOST:PORT/recordings/NAME.mcap.\n\n" +
			"With --segment the recording is split into files of that duration, FILE-1, FILE-2 and so on, each a complete recording. --keep and --keep-mib remove the oldest files; --thin leaves fewer snapshots in older ones.",
		Example: "vyretop record run.mcap scan\nvyretop record run.mcap scan --segment 10m --keep 6\nvyretop record nats://node1:4222/recordings/scan.mcap nats://node1:4222/scan",
		Args:    arguments(1, 2, "FILE"),
	}
	c.Flags().DurationVar(&f.wait, "wait", 0, "how long to wait for the run to start")
	c.Flags().DurationVar(&atMost, "for", 0, "stop after this time")
	segments.register(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if err := segments.check(true); err != nil {
			return err
		}
		if err := checkHubRecording("FILE", args[0], &segments); err != nil {
			return err
		}
		s, err := a.openSubject(c.Context(), append(args, "")[1], f, false)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.Close()) }()
		if s.Kind() != inspect.Live {
			return usage(fmt.Sprintf("%q is not a live run", args[1]), "name one that vyretop list shows")
		}
		return recordTo(c.Context(), a, args[0], func(file string) error {
			return inspect.RecordTo(c.Context(), s, atMost, file, segments.of(), a.warnText)
		})
	}
	return c
}
