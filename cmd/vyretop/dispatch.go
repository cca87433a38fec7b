package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/engine"
	"vyretop/engine/device"
	"vyretop/engine/dispatch"
	"vyretop/engine/plainfile"
)

func newDispatch(a *app, _ []string) *cobra.Command {
	f := &dispatchFlags{}
	c := &cobra.Command{
		Use:   "dispatch FILE.comp",
		Short: "Run a compute shader over files",
		Long: "Run a GLSL compute shader with std430 buffers: files in, files out. The size of a buffer is --size, else the size of its --in file, else the size of its block; the rest of a buffer is zero. " +
			"A kernel outside the kernel language runs only on the gl backend. The reference backend reports accesses out of range and divisions by zero on stderr; the exit status stays 0.\n\n" +
			"With --confirm or --speculation the kernel defines, instead of main, bool prefilter(uint item), bool confirm(uint item, out uint value) and void commit(uint item, uint value): " +
			"items that pass prefilter are candidates, and those that confirm accepts are committed. With --speculation on, both run in one dispatch and unconfirmed items are rolled back; " +
			"adaptive decides for each dispatch of --repeat. The outputs are the same.",
		Example: "vyretop dispatch scale.comp --in 0=samples.bin --size 1=4096 --out 1=scaled.bin\nvyretop dispatch scale.comp --backend reference --grid 16 --in 0=samples.bin --out 0=scaled.bin --json\nvyretop dispatch prefilter.comp --confirm confirm.glsl --speculation adaptive --repeat 20 --in 0=items.bin --size 1=4096 --out 1=found.bin",
		Args:    arguments(1, 1, "FILE.comp"),
	}
	f.register(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		r, err := f.request(c.Flags())
		if err != nil {
			return err
		}
		if c.Flags().Changed("speculation") || f.confirm != "" {
			if r.Pair, err = dispatch.ReadPair(args[0], f.confirm); err != nil {
				return err
			}
		}
		return f.execute(c.Context(), a, args[0], r)
	}
	return c
}

// execute runs one kernel over files and prints what came of it.
func (f *dispatchFlags) execute(ctx context.Context, a *app, file string, r *dispatch.Request) (err error) {
	p, err := a.dispatched(file, r)
	if err != nil {
		return err
	}
	backend, err := f.open(ctx, a, device.Choice{Parallel: f.parallel})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeSoon(backend)) }()
	if p, err = suitSubgroups(p, backend, r); err != nil {
		return err
	}
	result, err := dispatch.Run(ctx, backend, p, r)
	if err != nil {
		return err
	}
	for _, n := range result.Notices(file) {
		fmt.Fprintln(a.stderr, "vyretop: "+n)
	}
	d := dispatch.NewDocument(backend, result)
	if f.json {
		return writeJSON(a.stdout, d)
	}
	return dispatch.WriteText(a.stdout, d)
}

// suitSubgroups gives a program subgroups as large as those of the device, unless the request says how large they are.
func suitSubgroups(p *engine.Program, backend engine.Backend, r *dispatch.Request) (*engine.Program, error) {
	profile := backend.Profile()
	width := int(profile.SubgroupWidth())
	if p == nil || r.Subgroup != 0 || width == 0 {
		return p, nil
	}
	return p.WithSubgroup(width)
}

// dispatched compiles the kernel of a file and prints its warnings; nil where the request has a pair, whose pipeline
// is made on the backend.
func (a *app) dispatched(file string, r *dispatch.Request) (*engine.Program, error) {
	if r.Pair != nil {
		return nil, nil
	}
	p, warnings, err := dispatch.CompileFile(file, r.Choices)
	for _, w := range warnings {
		fmt.Fprintln(a.stderr, w)
	}
	return p, err
}

// interpreted compiles a kernel of the kernel language, which verb needs.
func interpreted(a *app, verb, file string, r *dispatch.Request) (*engine.Program, error) {
	p, err := a.dispatched(file, r)
	if err == nil && p.Tree == nil {
		err = plainfile.Failure(verb, file, errors.New("the kernel is outside the kernel language"), "run vyretop check on it without --run, and keep to docs/kernel-language.md")
	}
	return p, err
}
