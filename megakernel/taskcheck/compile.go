package taskcheck

import (
	"context"
	"errors"
	"slices"

	"vyretop/engine"
	"vyretop/engine/check"
	"vyretop/engine/glsl/source"
	"vyretop/megakernel/run"
)

// Compile says what the front end finds in the kernel of a workload, which is named as run.OpenWorkload does. An error means
// that the workload cannot be opened, or has no kernel to look at.
func Compile(ctx context.Context, name string) (check.Compiled, error) {
	d, err := run.OpenWorkload(name)
	if err != nil {
		return check.Compiled{}, err
	}
	w, err := d.New(nil)
	if err != nil {
		return check.Compiled{}, err
	}
	setup, err := w.Setup(ctx)
	if err != nil {
		return check.Compiled{}, err
	}
	k, err := run.Assemble(setup, engine.DeviceProfile{}, 0)
	if found := (source.Diagnostics)(nil); errors.As(err, &found) {
		return check.NewCompiled(setup.Name, nil, found), nil
	}
	if err != nil {
		return check.Compiled{}, err
	}
	return check.NewCompiled(setup.Name, k.Program, slices.Concat(k.Program.Outside, k.Warnings)), nil
}
