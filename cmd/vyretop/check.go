package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/cmd/vyretop/internal/launch"
	"vyretop/engine"
	"vyretop/megakernel/workload/catalog"
)

func (a *app) newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check WORKLOAD|DIR",
		Short: "Check a workload's manifest and kernel without a device",
		Args:  arguments(1, 1, "WORKLOAD|DIR"),
		RunE:  func(c *cobra.Command, args []string) error { return a.check(c.Context(), args[0]) },
	}
}

// check assembles a workload's kernel and prints warnings. A kernel that only a driver could run is
// an error here: it can be neither verified nor stepped.
func (a *app) check(ctx context.Context, name string) error {
	d, err := catalog.Open(name)
	if err != nil {
		return err
	}
	w, err := d.New(nil)
	if err != nil {
		return err
	}
	setup, err := w.Setup(ctx)
	if err != nil {
		return err
	}
	k, err := launch.Assemble(setup, engine.DeviceProfile{}, 0)
	if err != nil {
		return err
	}
	for _, d := range k.Warnings {
		fmt.Fprintf(a.stderr, "%v\n", d)
	}
	if len(k.Program.Outside) > 0 {
		return k.Program.Outside
	}
	_, err = fmt.Fprintf(a.stdout, "%s: ok (handlers %d, buffers %d, debug formats %d)\n", setup.Name, len(setup.Handlers), len(setup.Buffers), len(k.Program.Formats))
	return err
}
