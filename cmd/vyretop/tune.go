package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/tune/rerun"
	"vyretop/megakernel/workload"
	"vyretop/tui/progress"
)

// tuneFlags are the flags of tune that every workload has.
type tuneFlags struct {
	deviceFlags
	workgroupSize int
	budget        time.Duration
	window        time.Duration
	seed          uint64
	json          bool
	dry           bool
}

// defaultBudget is enough for some hundred pairs of windows of the fastest candidate and the default.
const defaultBudget = 30 * time.Second

func (f *tuneFlags) register(s *pflag.FlagSet) {
	f.deviceFlags.register(s, "that runs the kernel")
	s.IntVar(&f.workgroupSize, "workgroup-size", 0, "lanes per worker (default: chosen for the device)")
	s.DurationVar(&f.budget, "budget", defaultBudget, "time limit of the search, once the kernel is compiled")
	s.DurationVar(&f.window, "window", tune.DefaultWindow, "minimum time to run a candidate at once")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the candidate order and of the reference backend's scheduler")
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	s.BoolVar(&f.dry, "dry-run", false, "do not save the result")
}

func (f *tuneFlags) check(set *pflag.FlagSet) error {
	if err := f.deviceFlags.check(); err != nil {
		return err
	}
	if err := checkWorkgroupSize(set, f.workgroupSize); err != nil {
		return err
	}
	if f.budget <= 0 || f.window < time.Millisecond {
		return usage(fmt.Sprintf("--budget %v is too short for --window %v", f.budget, f.window), "use durations such as 30s, and 100ms")
	}
	return nil
}

// newTune makes the tune command, with the flags of the workload that args name.
func newTune(a *app, args []string) *cobra.Command {
	f := &tuneFlags{}
	c := &cobra.Command{
		Use:   "tune WORKLOAD|DIR",
		Short: "Find the fastest workers, lanes and slices for a workload",
		Long: "tune runs a workload repeatedly with different workers, lanes and slices, and finds the fastest by successive\n" +
			"halving. The result is saved for this device and workload; run uses it unless --no-tuned is given.",
		Example: "vyretop tune scan --path /usr/share/doc\nvyretop tune bfs --budget 2m --json",
		Args:    arguments(1, 1, "WORKLOAD|DIR"),
	}
	f.register(c.Flags())
	definition, err := workloadOf(a, c, "tune", args)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err != nil {
			return err
		}
		if err := f.check(c.Flags()); err != nil {
			return err
		}
		return f.run(c.Context(), a, definition, workloadValues(c.Flags(), definition))
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil
	return c
}

// workloadOf gives a command about workloads the flags of the one that args name; nil where they name none.
func workloadOf(a *app, c *cobra.Command, name string, args []string) (workload.Definition, error) {
	_, definition, err := a.findWorkload(name, c.Flags(), args, 0)
	if definition != nil {
		c.Use = name + " " + definition.Name()
		long := c.Long
		addWorkloadFlags(c, definition)
		c.Long = long
	}
	return definition, err
}

func checkWorkgroupSize(set *pflag.FlagSet, n int) error {
	if set.Changed("workgroup-size") && (n < 1 || n > maxWorkgroupSize) {
		return usage(fmt.Sprintf("invalid --workgroup-size %d: out of range", n), fmt.Sprintf("use 1 to %d, or leave it out", maxWorkgroupSize))
	}
	return nil
}

// run opens the device, searches, keeps what it found and prints it.
func (f *tuneFlags) run(ctx context.Context, a *app, d workload.Definition, values map[string]string) (err error) {
	if _, err := d.New(values); err != nil {
		return err
	}
	if !f.dry {
		if err := tune.CanSave(tune.StoreDir(a.env)); err != nil {
			return err
		}
	}
	backend, err := f.open(ctx, a, device.Choice{Seed: f.seed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	progress, done := a.tuneProgress()
	found, err := rerun.Search(ctx, rerun.SearchConfig{
		Config: rerun.Config{Backend: backend, New: func() (workload.Workload, error) { return d.New(values) }, WorkgroupSize: f.workgroupSize, Version: version},
		Name:   d.Name(), Budget: f.budget, Window: f.window, Seed: f.seed, Progress: progress,
		Late: func(needs time.Duration) {
			a.warnText(fmt.Sprintf("the search takes about %v, not %v: each window of this workload is long", needs.Round(time.Second), f.budget))
		},
	})
	done()
	if err != nil {
		return err
	}
	if found.Undecided() != nil {
		a.status = exitFailed
	} else if !f.dry {
		if found.Kept, err = tune.Save(tune.StoreDir(a.env), found.Entry(version)); err != nil {
			return err
		}
	}
	if f.json {
		return writeJSON(a.stdout, rerun.NewDocument(found))
	}
	return rerun.WriteText(a.stdout, found)
}

// tuneProgress shows on a terminal how far the search is; done erases it.
func (a *app) tuneProgress() (show func(tune.Progress), done func()) {
	w, width, ok := notices(a.stderr)
	if !ok {
		return nil, func() {}
	}
	return func(p tune.Progress) {
		line := fmt.Sprintf("%3d %% round %d of %d, %d candidates, now %s; best %s", min(100, 100*p.Spent/p.Budget), p.Round, p.Rounds, p.Left, p.Trying, p.Best)
		progress.Draw(w, width(), line)
	}, func() { progress.Erase(w) }
}

// useTuned looks up the shape that tune has found, where the command line asks for no other one.
func (f *runFlags) useTuned(a *app, id engine.Identity, name string, lanes int) *tune.Entry {
	if f.noTuned || f.workers != 0 {
		return nil
	}
	e, err := tune.Load(tune.StoreDir(a.env), tune.KeyOf(id, name, lanes))
	switch {
	case err != nil:
		fmt.Fprintf(a.stderr, "vyretop: %v\n", err)
		return nil
	case e == nil || e.Workers > megakernel.MaxWorkers:
		return nil
	}
	fmt.Fprintf(a.stderr, "vyretop: using what vyretop tune found on %s: %s; --no-tuned does not\n", e.Found.Format(time.DateOnly), e)
	return e
}
