package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/replay"
)

// verifyFlags are the flags of replay that execute a recording again.
type verifyFlags struct {
	deviceFlags
	verify      bool
	seed, seeds uint64
	json        bool
	keep        string
}

func (f *verifyFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&f.verify, "verify", false, "execute the run again and compare how it ends")
	f.deviceFlags.registerFor(s, "with --verify: ", "that executes it")
	s.Uint64Var(&f.seed, "seed", 1, "with --verify: seed of the reference backend's scheduler")
	s.Uint64Var(&f.seeds, "seeds", 1, "with --verify: number of seeds to try, from --seed on, until one differs")
	s.StringVar(&f.keep, "keep", "", "with --verify and --seeds: once two orders end differently, look for the fewest tasks that do and write them to a recording")
	s.BoolVar(&f.json, "json", false, "with --verify: print one JSON object per seed")
}

// check finds flags that do nothing, or cannot be.
func (f *verifyFlags) check(s *pflag.FlagSet) error {
	for _, name := range []string{"backend", "device", "seed", "seeds", "json", "keep"} {
		if !f.verify && s.Changed(name) {
			return usage(fmt.Sprintf("--%s has no effect", name), "use it with --verify")
		}
	}
	switch {
	case f.seeds < 1 || f.seeds > replay.MaxOrders:
		return usage(fmt.Sprintf("invalid --seeds %d: out of range", f.seeds), fmt.Sprintf("use 1 to %d", replay.MaxOrders))
	case f.keep != "" && f.seeds < 2:
		return usage("--keep needs --seeds", "give the number of orders to try, such as --seeds 100")
	case f.backend != device.Reference && (s.Changed("seed") || s.Changed("seeds")):
		return usage("--seed and --seeds are for the reference backend, whose order of tasks they choose", "use --backend reference")
	}
	return f.deviceFlags.check()
}

// verifyRecording executes the run of a recording again, with each seed, until one ends differently.
func verifyRecording(ctx context.Context, a *app, f *verifyFlags, name string) (err error) {
	rec, err := inspect.OpenRecording(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	if info, err := os.Stat(f.keep); f.keep != "" && err == nil && info.Size() > 0 {
		return fixtures.Exists(f.keep)
	}
	o := replay.Orders{
		Name: name, Recording: rec, First: f.seed, Count: f.seeds, Close: closeSoon,
		Open: func(ctx context.Context, seed uint64) (engine.Backend, error) {
			return f.open(ctx, a, device.Choice{Seed: seed})
		},
		Tell: func(r *replay.Result, seed uint64, last bool) error { return f.tell(a, name, r, seed, last) },
	}
	differs, err := o.Search(ctx)
	if err != nil || !differs {
		return err
	}
	a.status = exitFailed
	return keepSmallest(ctx, a, f, name, rec)
}

// shrinking bounds the time that looking for fewer tasks takes.
const shrinking = 30 * time.Second

// keepSmallest writes the smallest run that ends differently, if that is asked for.
func keepSmallest(ctx context.Context, a *app, f *verifyFlags, name string, rec *fixtures.Recording) error {
	if f.keep == "" {
		return nil
	}
	small, err := replay.Shrink(ctx, name, rec, f.seed, shrinking)
	if err != nil {
		return err
	}
	if small == nil {
		fmt.Fprintln(a.stderr, "vyretop: "+f.keep+" was not written: no two orders of the same seeds and fewer lanes end differently")
		return nil
	}
	if err := small.Write(ctx, f.keep); err != nil {
		return err
	}
	if !f.json {
		fmt.Fprintf(a.stdout, "%s: %d of %s on %s of %s; seeds %d and %d end differently. Execute it with vyretop replay %s --verify --backend reference --seed %d\n",
			f.keep, small.Tasks, units.Plural(small.Of, "task"), units.Plural(small.Workers, "worker"), units.Plural(small.Lanes, "lane"), small.Seed, small.Other, f.keep, small.Other)
	}
	return nil
}

// tell prints how an execution ended: in a line where it is equal and others follow.
func (f *verifyFlags) tell(a *app, name string, r *replay.Result, seed uint64, last bool) error {
	shown := &seed
	if r.Backend != device.Reference {
		shown = nil
	}
	d := replay.NewDocument(name, shown, r)
	if f.json {
		return writeJSON(a.stdout, d)
	}
	if d.Equal && !last {
		_, err := fmt.Fprintf(a.stdout, "seed %d: equal\n", seed)
		return err
	}
	return replay.WriteText(a.stdout, d)
}
