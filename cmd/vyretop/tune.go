package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/cmd/vyretop/internal/report"
	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/megakernel"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/tune/rerun"
	"vyretop/megakernel/workload"
)

// tuneFlags are the flags of tune that every workload has.
type tuneFlags struct {
	backend       string
	device        int
	workgroupSize int
	budget        time.Duration
	window        time.Duration
	seed          uint64
	json          bool
	dry           bool
}

// defaultBudget is enough for some hundred pairs of windows of the fastest candidate and the default.
const defaultBudget = 30 * time.Second

// leastPatience is how long a workload may take to its first progress, however short the budget is.
const leastPatience = time.Second

func (f *tuneFlags) register(s *pflag.FlagSet) {
	s.StringVar(&f.backend, "backend", device.Auto, "backend that runs the kernel: "+strings.Join(device.Names, ", "))
	s.IntVar(&f.device, "device", device.AutoDevice, "device index from vyretop doctor (-1: best device)")
	s.IntVar(&f.workgroupSize, "workgroup-size", 0, "lanes per worker (default: chosen for the device)")
	s.DurationVar(&f.budget, "budget", defaultBudget, "time limit of the search, once the kernel is compiled")
	s.DurationVar(&f.window, "window", tune.DefaultWindow, "minimum time to run a candidate at once")
	s.Uint64Var(&f.seed, "seed", 1, "seed of the candidate order and of the reference backend's scheduler")
	s.BoolVar(&f.json, "json", false, "print one JSON document")
	s.BoolVar(&f.dry, "dry-run", false, "do not save the result")
}

func (f *tuneFlags) check(set *pflag.FlagSet) error {
	if err := checkBackend(f.backend, f.device); err != nil {
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
		return a.tune(c.Context(), f, definition, workloadValues(c.Flags(), definition))
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil
	return c
}

// workloadOf gives a command about workloads the flags of the one that args name; nil where they name none.
func workloadOf(a *app, c *cobra.Command, name string, args []string) (workload.Definition, error) {
	_, definition, err := a.findWorkload(name, c.Flags(), args)
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

// tune opens the device, searches, keeps what it found and prints it.
func (a *app) tune(ctx context.Context, f *tuneFlags, d workload.Definition, values map[string]string) (err error) {
	if _, err := d.New(values); err != nil {
		return err
	}
	if !f.dry {
		if err := tune.CanSave(tune.StoreDir(a.env)); err != nil {
			return err
		}
	}
	backend, notice, err := device.Openers{}.Open(ctx, device.Choice{Backend: f.backend, Device: f.device, Seed: f.seed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	if notice != "" {
		fmt.Fprintln(a.stderr, "vyretop: "+notice)
	}
	found, err := a.search(ctx, f, backend, func() (workload.Workload, error) { return d.New(values) })
	if err != nil {
		return err
	}
	found.Workload, found.Identity, found.Budget = d.Name(), backend.Identity(), f.budget
	if found.Undecided() != nil {
		a.status = exitFailed
	} else if !f.dry {
		if found.Kept, err = tune.Save(tune.StoreDir(a.env), entryOf(found)); err != nil {
			return err
		}
	}
	if f.json {
		return report.WriteJSON(a.stdout, report.NewTune(found))
	}
	return report.WriteTune(a.stdout, found)
}

// search measures the candidates that suit the device.
func (a *app) search(ctx context.Context, f *tuneFlags, backend engine.Backend, fresh func() (workload.Workload, error)) (found *report.Found, err error) {
	target := rerun.NewLive(rerun.Config{Backend: backend, New: fresh, WorkgroupSize: f.workgroupSize, Version: version, Patience: max(f.budget, leastPatience)})
	defer func() { err = errors.Join(err, target.Close()) }()
	start, err := target.Begin(ctx, f.budget/8)
	if err != nil {
		return nil, err
	}
	limits := rerun.LimitsOf(backend.Profile(), start)
	list, first := rerun.Space(start, limits)
	progress, done := a.tuneProgress()
	result, err := tune.Search(ctx, target, tune.Config{
		Candidates: list, Default: first, Budget: f.budget, Window: f.window, Seed: f.seed, Progress: progress, Began: start.Began,
		Late: func(needs time.Duration) {
			a.warnText(fmt.Sprintf("the search takes about %v, not %v: each window of this workload is long", needs.Round(time.Second), f.budget))
		},
	})
	done()
	if err != nil {
		return nil, err
	}
	return &report.Found{Start: start, Result: result, Relation: rerun.Relate(start, limits, result.Best)}, nil
}

// tuneProgress shows on a terminal how far the search is; done erases it.
func (a *app) tuneProgress() (show func(tune.Progress), done func()) {
	file, ok := terminal(a.stderr)
	if !ok {
		return nil, func() {}
	}
	const eraseLine = "\r\x1b[K"
	return func(p tune.Progress) {
		line := fmt.Sprintf("%3d %% round %d of %d, %d candidates, now %s; best %s", min(100, 100*p.Spent/p.Budget), p.Round, p.Rounds, p.Left, p.Trying, p.Best)
		fmt.Fprintf(file, "%s%.*s", eraseLine, columns(file)-1, line)
	}, func() { fmt.Fprint(file, eraseLine) }
}

// entryOf is what is kept of a search.
func entryOf(f *report.Found) tune.Entry {
	s := f.Start.Settings
	for _, x := range f.Result.Best {
		_ = s.Set(x) // it was in force
	}
	e := tune.Entry{
		Key:     tune.KeyOf(f.Identity, f.Workload, f.Start.WorkgroupSize),
		Workers: s.Workers, Lanes: s.Lanes, Slice: s.Slice, Ratio: 1, Low: 1, High: 1, Found: time.Now().UTC().Truncate(time.Second), Version: version,
	}
	if s.Workgroup != f.Start.WorkgroupSize {
		e.Workgroup = s.Workgroup
	}
	if c := f.Result.Comparison; c != nil && c.Replaces() {
		e.Ratio, e.Low, e.High = c.Ratio, c.Low, c.High
	}
	return e
}

// useTuned looks up the shape that tune has found, where the command line asks for no other one.
func (a *app) useTuned(f *runFlags, id engine.Identity, name string, lanes int) *tune.Entry {
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
