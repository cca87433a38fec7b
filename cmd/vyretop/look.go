package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/megakernel/filter"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/stats"
	"vyretop/megakernel/words"
)

// lookFlags are the flags of the commands that look at a target.
type lookFlags struct {
	wait        time.Duration
	at          time.Duration
	atGiven     bool
	observables uint32
	slots       uint32
	json        bool
	failIf      string
	filter      string
	window      time.Duration
	interval    time.Duration
	follow      bool
}

const lookUsage = "\n\nTARGET is the name of a live run, a recording, or a file of raw buffers (default: the only live run). " +
	"RECORDING@DURATION is a position in a recording, nats://HOST:PORT/NAME a run at a hub. See vyretop help targets."

// newLook makes a command that looks at one target; which says which of the common flags it has.
func (a *app) newLook(use, short string, f *lookFlags, register func(*pflag.FlagSet), run func(context.Context, inspect.Subject) error) *cobra.Command {
	c := &cobra.Command{
		Use: use + " [TARGET]", Short: short, Long: short + "." + lookUsage,
		Args: arguments(0, 1, "TARGET"),
	}
	s := c.Flags()
	f.registerTarget(s)
	s.BoolVar(&f.json, "json", false, "print JSON, with a schema member")
	if use != "stall" && use != "postmortem" { // stall has a condition of its own, a postmortem none
		s.StringVar(&f.failIf, "fail-if", "", "exit with status 1 if this filter matches; see vyretop help filters")
	}
	if register != nil {
		register(s)
	}
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		f.atGiven = c.Flags().Changed("at")
		name := ""
		if len(args) > 0 {
			name = args[0]
		}
		subject, err := a.openSubject(c.Context(), name, f, c.Name() != "log" && c.Name() != "export")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, subject.Close()) }()
		return run(c.Context(), subject)
	}
	return c
}

func (f *lookFlags) registerTarget(s *pflag.FlagSet) {
	s.DurationVar(&f.wait, "wait", 0, "how long to wait for the run to start")
	positionVar(s, &f.at, "at", "position in the recording (default: end)")
	s.Uint32Var(&f.observables, "observables", 0, "raw buffers: observable words after the 160 fixed control words")
	s.Uint32Var(&f.slots, "slots", 0, "raw buffers: slots of the ring, if the control buffer does not have their number")
}

func (f *lookFlags) registerFilter(s *pflag.FlagSet) {
	s.StringVar(&f.filter, "filter", "", "print only rows that match this filter; see vyretop help filters")
}

func (f *lookFlags) registerWindow(s *pflag.FlagSet) {
	s.DurationVar(&f.window, "window", 500*time.Millisecond, "window for rates and changes")
}

func (a *app) openSubject(ctx context.Context, name string, f *lookFlags, noLog bool) (inspect.Subject, error) {
	o := inspect.Options{Dir: remote.Dir(a.env), Wait: f.wait, Observables: f.observables, Slots: f.slots, NoLog: noLog, Interval: f.interval}
	if f.atGiven {
		o.At = &f.at
	}
	name, err := fetched(ctx, a, name)
	if err != nil {
		return nil, err
	}
	t, address, err := atHub(ctx, a, "vyretop "+strings.Join(a.args[:min(1, len(a.args))], ""), name, f.wait)
	if err != nil {
		return nil, err
	}
	if t != nil {
		name, o.Connect, o.Told = t.Title(), fleet.Connector(address, t, remote.Look), a.warnText
	}
	s, err := inspect.Open(ctx, name, o)
	if err != nil {
		return nil, err
	}
	if s.Kind() == inspect.Recording {
		h := s.Header()
		frugal(&h.Target)
	}
	a.warn(s)
	if r, ok := s.(interface {
		Beyond() (time.Duration, bool)
	}); ok {
		if end, beyond := r.Beyond(); beyond {
			fmt.Fprintf(a.stderr, "vyretop: %s ends at %v: its end is taken\n", name, end.Round(time.Millisecond))
		}
	}
	return s, nil
}

// newSnapshot makes the command that prints what is known of a target as a whole.
func newSnapshot(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	return a.newLook("snapshot", "Print the metrics of a target", f, f.registerWindow, func(ctx context.Context, s inspect.Subject) error {
		fail, err := filter.Parse(f.failIf, stats.MetricNames())
		if err != nil {
			return err
		}
		now, before, err := s.Pair(ctx, f.window)
		if err != nil {
			return err
		}
		sample := inspect.Sample(s, now, before)
		f.tellMatch(a, fail.Match(&stats.Row{Sample: sample}))
		if f.json {
			return writeJSON(a.stdout, inspect.SnapshotDocument(s, sample))
		}
		return inspect.WriteSample(a.stdout, sample)
	})
}

// tellMatch keeps the exit status of a condition that is true.
func (f *lookFlags) tellMatch(a *app, matched bool) {
	if f.failIf != "" && matched {
		a.status = exitFailed
	}
}

// newTable makes a command that prints a table of a target as it is now.
func newTable[T any](a *app, use, short string, list inspect.Listing[T]) *cobra.Command {
	f := &lookFlags{}
	return a.newLook(use, short, f, f.registerFilter, func(ctx context.Context, s inspect.Subject) error {
		return writeTable(ctx, a, s, f, list)
	})
}

// writeTable prints a table of a target as it is now, and keeps the exit status of a condition.
func writeTable[T any](ctx context.Context, a *app, s inspect.Subject, f *lookFlags, list inspect.Listing[T]) error {
	matched, err := list.Write(ctx, a.stdout, s, inspect.Query{Keep: f.filter, Fail: f.failIf, JSON: f.json})
	f.tellMatch(a, matched)
	return err
}

func newWorkers(a *app, _ []string) *cobra.Command {
	return newTable(a, "workers", "Print the workers of a target", inspect.WorkerListing)
}

func newTasks(a *app, _ []string) *cobra.Command {
	return newTable(a, "tasks", "Print the tasks in the ring of a target", inspect.TaskListing)
}

func newWords(a *app, _ []string) *cobra.Command {
	f := &lookFlags{}
	buffer, place := words.Control, ""
	var c *cobra.Command
	c = a.newLook("words", "Print the words of a buffer of a target, with their names and types", f, f.registerFilter, func(ctx context.Context, s inspect.Subject) error {
		in := buffer
		if place != "" && !c.Flags().Changed("buffer") {
			in = "" // the place may say which one
		}
		return writeTable(ctx, a, s, f, inspect.WordListing(in, place))
	})
	c.Long = "words prints the words of a buffer with the names and types that the kernel declares: the control buffer, the ring, the worker table, " +
		"and every buffer of the workload, such as rays of render. A recording holds the workload's buffers only as they were at its end." + lookUsage
	c.Example = "vyretop words --buffer ring\nvyretop words render --word 'render_rays[3].from'\nvyretop words run.mcap --buffer image --filter 'index<16'"
	c.Flags().StringVar(&buffer, "buffer", buffer, "buffer to print: control, ring, workers, or a buffer of the workload")
	c.Flags().StringVar(&place, "word", "", "word, member or element to print, such as [128], epoch, slot[2].state or render_rays[3].from; it may begin with a buffer in place of --buffer")
	return c
}

// choice is the value of a flag that is one of a few words.
type choice struct {
	value *string
	words []string
}

func (c *choice) String() string { return *c.value }
func (c *choice) Type() string   { return "name" }

func (c *choice) Set(text string) error {
	for _, w := range c.words {
		if w == text {
			*c.value = text
			return nil
		}
	}
	return fmt.Errorf("it must be one of %s", strings.Join(c.words, ", "))
}
