package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"strings"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/targets"
)

// fleetFlags are the flags of fleet.
type fleetFlags struct {
	viewFlags
	hub      hubFlags
	filter   string
	sort     string
	group    string
	order    string
	yes      bool
	control  bool
	interval time.Duration
	window   time.Duration
}

// newFleet makes the command that shows all targets of a hub.
func newFleet(a *app, _ []string) *cobra.Command {
	f := &fleetFlags{}
	c := &cobra.Command{
		Use: "fleet", Short: "Show the runs of all machines at a hub on one screen",
		Long: "fleet shows every run that was started with --hub: host, device, workload, state, tasks per second, progress, faults, verdict and vitals. Enter opens a run's dashboard as if it ran here; " +
			"\":\" gives a command to the marked runs, or to all that the filter passes. Without a terminal it prints the table once. --do gives a command to all runs that pass --filter.",
		Example: "vyretop fleet --hub nats://node1:4222\nvyretop fleet --filter 'stalled or faulted>0' --json\nvyretop fleet --group host\nvyretop fleet --filter 'workload=scan' --do 'pause all' --yes",
		Args:    arguments(0, 0, ""),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), a) },
	}
	s := c.Flags()
	f.viewFlags.register(s)
	f.hub.register(s, "hub that the runs are announced at")
	s.BoolVar(&f.json, "json", false, "print JSON, with a schema member")
	s.BoolVar(&f.readOnly, "readonly", false, "disable everything that changes runs")
	s.StringVar(&f.filter, "filter", "", "show only runs that match this filter; see vyretop help filters")
	s.StringVar(&f.sort, "sort", "", "column to sort by; -COLUMN: descending")
	s.StringVar(&f.group, "group", "", "print totals by a column: "+strings.Join(targets.GroupColumns, ", "))
	s.StringVar(&f.order, "do", "", "command to carry out on every run that matches --filter, as in vyretop do COMMAND")
	s.BoolVar(&f.yes, "yes", false, "carry out --do without asking")
	s.BoolVar(&f.control, "control", false, "take control even if another client holds it")
	s.DurationVar(&f.interval, "interval", time.Second, "interval between updates of a run")
	s.DurationVar(&f.window, "wait", time.Second, "how long to wait for runs to answer before printing the table")
	return c
}

// defaultHub is the hub where none is named: that of vyretop hub on this machine.
const defaultHub = "nats://127.0.0.1:" + fleet.DefaultPort

func (f *fleetFlags) run(ctx context.Context, a *app) error {
	if f.hub.url == "" {
		f.hub.url = defaultHub
	}
	if err := f.viewFlags.check(); err != nil {
		return err
	}
	q, err := targets.NewQuery(f.filter, f.sort, f.group)
	if err != nil {
		return err
	}
	if f.interval <= 0 {
		return usage("invalid --interval: must be above 0", "use a duration such as 1s")
	}
	w, err := fleet.WatchAll(f.hub.address("vyretop fleet"), f.interval)
	if err != nil {
		return err
	}
	defer w.Close()
	switch {
	case f.order != "":
		return f.doAll(ctx, a, w, q)
	case f.linear:
		return w.Tell(ctx, a.stdout, q)
	case f.interactive(a) && f.group == "":
		return f.screen(ctx, a, w)
	}
	return f.print(ctx, a, w, q)
}

// settle waits until the runs have had the time to answer.
func (f *fleetFlags) settle(ctx context.Context) error {
	select {
	case <-time.After(f.window):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// print prints the runs once.
func (f *fleetFlags) print(ctx context.Context, a *app, w *fleet.Watcher, q targets.Query) error {
	if err := f.settle(ctx); err != nil {
		return err
	}
	now := time.Now()
	chosen := q.Choose(w.Targets(), now)
	switch {
	case f.json:
		return writeJSON(a.stdout, targets.NewDocument(chosen, q.Group, w.Invalid(), now))
	case q.Group != "":
		return targets.WriteGroups(a.stdout, q.Group, targets.Groups(chosen, q.Group, now))
	case len(chosen) == 0:
		_, err := fmt.Fprintln(a.stdout, "no runs. Start one: vyretop run WORKLOAD --hub "+f.hub.shown())
		return err
	}
	return targets.Write(a.stdout, chosen, now)
}
