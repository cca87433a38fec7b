package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

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

// maxSeeds bounds the schedules that one command explores.
const maxSeeds = 1_000_000

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
	case f.seeds < 1 || f.seeds > maxSeeds:
		return usage(fmt.Sprintf("invalid --seeds %d: out of range", f.seeds), fmt.Sprintf("use 1 to %d", maxSeeds))
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
	for i := range f.seeds {
		equal, err := verifyOnce(ctx, a, f, name, rec, f.seed+i, i == f.seeds-1)
		if err != nil {
			return err
		}
		if !equal {
			a.status = exitFailed
			return keepSmallest(ctx, a, f, name, rec)
		}
	}
	return nil
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

func verifyOnce(ctx context.Context, a *app, f *verifyFlags, name string, rec *fixtures.Recording, seed uint64, last bool) (equal bool, err error) {
	backend, err := f.open(ctx, a, device.Choice{Seed: seed})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, closeSoon(backend)) }()
	r, err := replay.Verify(ctx, name, rec, backend)
	if err != nil {
		return false, err
	}
	if err := replay.Locate(ctx, name, rec, r, seed); err != nil {
		return false, err
	}
	shown := &seed
	if backend.Identity().Name != device.Reference {
		shown = nil
	}
	d := replay.NewDocument(name, shown, r)
	if f.json {
		return d.Equal, writeJSON(a.stdout, d)
	}
	if d.Equal && !last {
		_, err := fmt.Fprintf(a.stdout, "seed %d: equal\n", seed)
		return true, err
	}
	return d.Equal, replay.WriteText(a.stdout, d)
}
