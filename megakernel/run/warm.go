package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
)

// WarmedSchema names the document of a kernel variant that is compiled.
const WarmedSchema = "vyretop.warm/1"

// Warmed is a kernel variant that is compiled, as JSON, too, and stored where the backend keeps compiled programs.
type Warmed struct {
	Schema    string  `json:"schema"` // WarmedSchema
	Workload  string  `json:"workload"`
	Variant   string  `json:"variant"`        // "full", "breakpoints", or what the device's runs start with: "core", or "start" for all with large handlers apart
	Workgroup int     `json:"workgroup_size"` // lanes that it is compiled for
	Seconds   float64 `json:"seconds"`        // for compiling, or for loading it
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
	for name, c := range variants(k, backend, setup.HostDriven != "") {
		wait.Go(func() {
			begun := time.Now()
			err := compile(ctx, backend, c, c.NoInline && !k.Config.NoInline)
			if errors.Is(err, errWithout) {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if errs = append(errs, err); err == nil {
				list = append(list, Warmed{WarmedSchema, setup.Name, name, c.WorkgroupSize, time.Since(begun).Seconds()})
			}
		})
	}
	wait.Wait()
	return list, errors.Join(errs...)
}

// variants are the kernels of a run by their names; soon as in resident.Starter.
func variants(k *kernel.Kernel, backend engine.Backend, soon bool) map[string]kernel.Config {
	breaks, p := k.Config, backend.Profile()
	breaks.Holds.Breaks = true
	list := map[string]kernel.Config{"full": k.Config, "breakpoints": breaks}
	if p.DispatchBlocks.Or(false) { // there runs start with the full kernel once that is stored
		return list
	}
	_, apart := backend.(engine.ApartCompiler)
	switch c, ok := resident.Starter(k, p, soon, apart); {
	case ok && c.Core:
		list["core"] = c
	case ok:
		list["start"] = c
	}
	return list
}

// errWithout is the kind of the error of a kernel that runs start without.
const errWithout fault.Kind = "a kernel that starts sooner cannot be compiled"

// compile compiles a kernel to the end; apart has another process do it, whose driver's compiler may crash: errWithout.
func compile(ctx context.Context, backend engine.Backend, c kernel.Config, apart bool) error {
	k, err := kernel.Assemble(c)
	if err != nil {
		return err
	}
	if apart {
		if err := backend.(engine.ApartCompiler).CompileApart(ctx, k.Program); err != nil {
			return &fault.Error{Kind: errWithout, Cause: err}
		}
	}
	pipeline, err := backend.Compile(engine.InBackground(ctx), k.Program) // to the end, also where a dispatch would do most of it
	if err != nil {
		return err
	}
	return pipeline.Close()
}

// PlainWorkloads are the built-in workloads that need no flags.
func PlainWorkloads() (list []workload.Workload, err error) {
	for _, name := range Workloads() {
		d, err := OpenWorkload(name)
		if err != nil {
			return nil, err
		}
		if w, err := d.New(nil); err == nil {
			list = append(list, w)
		}
	}
	return list, nil
}
