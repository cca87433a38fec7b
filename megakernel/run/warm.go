package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// Warmed is a kernel variant that is compiled, and stored where the backend keeps compiled programs.
type Warmed struct {
	Workload  string
	Variant   string        // "full", "breakpoints", or "core" where the device's runs start with it
	Workgroup int           // lanes that it is compiled for
	Elapsed   time.Duration // for compiling, or for loading it
}

// Warm compiles the variants of a workload's kernel that a run with these inputs needs: what it starts with, and what
// breakpoints need. All are compiled at once, as far as the driver can, and listed in the order in which they were there. A
// workgroup size of 0 is what suits the device. Errors: those of the workload's inputs, and of compiling, beside what was
// compiled. When ctx ends, so does Warm, with ErrAbandoned.
func Warm(ctx context.Context, w workload.Workload, backend engine.Backend, workgroupSize int) ([]Warmed, error) {
	return orAbandon(ctx, func() ([]Warmed, error) { return warm(ctx, w, backend, workgroupSize) }, func([]Warmed) {})
}

func warm(ctx context.Context, w workload.Workload, backend engine.Backend, workgroupSize int) (list []Warmed, err error) {
	setup, err := w.Setup(ctx)
	if err != nil {
		return nil, err
	}
	k, err := Assemble(setup, backend.Profile(), workgroupSize)
	if err != nil {
		return nil, err
	}
	var (
		wait sync.WaitGroup
		mu   sync.Mutex // of list and errs
		errs []error
	)
	for name, c := range variants(k, backend.Profile()) {
		wait.Go(func() {
			begun := time.Now()
			err := compile(ctx, backend, c)
			mu.Lock()
			defer mu.Unlock()
			if errs = append(errs, err); err == nil {
				list = append(list, Warmed{Workload: setup.Name, Variant: name, Workgroup: c.WorkgroupSize, Elapsed: time.Since(begun)})
			}
		})
	}
	wait.Wait()
	return list, errors.Join(errs...)
}

func variants(k *kernel.Kernel, p engine.DeviceProfile) map[string]kernel.Config {
	breaks, core := k.Config, k.Config
	breaks.Holds.Breaks, core.Core = true, true
	list := map[string]kernel.Config{"full": k.Config, "breakpoints": breaks}
	if resident.StartsWithCore(&k.Config, p) && !p.DispatchBlocks.Or(false) { // there runs start with the full kernel once that is stored
		list["core"] = core
	}
	return list
}

func compile(ctx context.Context, backend engine.Backend, c kernel.Config) error {
	k, err := kernel.Assemble(c)
	if err != nil {
		return err
	}
	pipeline, err := backend.Compile(engine.InBackground(ctx), k.Program) // to the end, also where a dispatch would do most of it
	if err != nil {
		return err
	}
	return pipeline.Close()
}
