package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/gl"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// warmFlags are the flags of warm that every workload has.
type warmFlags struct {
	deviceFlags
	workgroupSize int
	json          bool
	worker        bool
}

func (f *warmFlags) register(s *pflag.FlagSet) {
	f.deviceFlags.register(s, "to compile for")
	s.IntVar(&f.workgroupSize, "workgroup-size", 0, "lanes per worker (default: chosen for the device)")
	s.BoolVar(&f.json, "json", false, "print one JSON object per kernel")
	s.BoolVar(&f.worker, "worker", false, "compile the shaders that standard input gives")
	_ = s.MarkHidden("worker") // fails for unknown flags only
}

// newWarm makes the warm command, with the flags of the workload that args name.
func newWarm(a *app, args []string) *cobra.Command {
	f := &warmFlags{}
	c := &cobra.Command{
		Use:   "warm [WORKLOAD|DIR]",
		Short: "Compile and store kernels before they are needed",
		Long: "Compile the kernels of a workload for this device and store them, so that the next run starts without waiting for the\n" +
			"driver's compiler: the kernel itself, the variant with breakpoints, and the one that runs first while the others\n" +
			"compile. Without WORKLOAD, the built-in workloads that need no flags are compiled. A kernel can depend on the\n" +
			"workload's flags; give those of the run. VYRETOP_PROGRAM_CACHE names the folder.",
		Example: "vyretop warm\nvyretop warm grep --pattern 'func [a-z]+'\nvyretop warm ./my-workload --device 1",
		Args:    arguments(0, 1, "[WORKLOAD|DIR]"),
	}
	f.register(c.Flags())
	definition, err := workloadOf(a, c, "warm", args)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err != nil {
			return err
		}
		if err := f.deviceFlags.check(); err != nil {
			return err
		}
		if f.worker {
			return gl.CompileTexts(c.Context(), gl.Options{Device: f.device}, a.stdin)
		}
		if err := checkWorkgroupSize(c.Flags(), f.workgroupSize); err != nil {
			return err
		}
		if definition != nil {
			w, err := definition.New(workloadValues(c.Flags(), definition))
			if err != nil {
				return err
			}
			return warm(c.Context(), a, f, []workload.Workload{w})
		}
		list, err := run.PlainWorkloads()
		if err != nil {
			return err
		}
		return warm(c.Context(), a, f, list)
	}
	c.FParseErrWhitelist.UnknownFlags = err != nil
	return c
}

// warm opens the device and compiles the kernels of workloads one after the other.
func warm(ctx context.Context, a *app, f *warmFlags, list []workload.Workload) (err error) {
	backend, err := f.open(ctx, a, device.Choice{})
	if err != nil {
		return err
	}
	defer func() {
		if !errors.Is(err, run.ErrAbandoned) {
			err = errors.Join(err, backend.Close())
		}
	}()
	cache, ok := backend.(engine.CacheReporter)
	if !ok {
		fmt.Fprintf(a.stdout, "%s compiles no kernels that could be stored\n", backend.Identity().Renderer)
		return nil
	}
	stored := gl.Stored(cache)
	for _, w := range list {
		end := a.noteSince("compiling for "+deviceName(backend), time.Now(), 0)
		kernels, err := run.Warm(ctx, w, backend, f.workgroupSize)
		end() // what is printed now takes its line
		for _, k := range kernels {
			printWarmed(a, f, k)
		}
		if err != nil {
			return err
		}
	}
	folder, err := stored()
	if err == nil && !f.json {
		fmt.Fprintln(a.stdout, "stored in "+folder)
	}
	return err
}

func printWarmed(a *app, f *warmFlags, k run.Warmed) {
	if f.json {
		line, err := json.Marshal(k)
		if err != nil {
			panic("BUG: " + err.Error()) // plain data
		}
		fmt.Fprintln(a.stdout, string(line))
		return
	}
	fmt.Fprintf(a.stdout, "%-10s %-12s %4d lanes %9v\n", k.Workload, k.Variant, k.Workgroup, time.Duration(k.Seconds*float64(time.Second)).Round(time.Millisecond))
}
