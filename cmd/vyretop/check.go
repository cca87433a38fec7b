package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/spf13/cobra"

	"vyretop/engine"
	"vyretop/engine/check"
	"vyretop/engine/dispatch"
	"vyretop/fixtures"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/taskcheck"
)

func newCheck(a *app, args []string) *cobra.Command {
	f := &checkFlags{}
	c := &cobra.Command{
		Use:   "check WORKLOAD|DIR|FILE.comp|RECORDING|CAPTURE",
		Short: "Check a workload or a kernel without a device",
		Long: "Check a workload's manifest and kernel, or a standalone kernel, without a device. It lists every error and warning. " +
			"A kernel outside the kernel language is an error here, even if a driver could run it: it can be neither verified nor stepped.\n\n" +
			"With --run it also runs on the reference interpreter, under checkers that report what GLSL leaves undefined or what is likely a mistake: " +
			"out-of-range accesses, reads without a value, data races between invocations and between tasks, barriers that not all lanes reach, " +
			"missing coherent and volatile, atomics whose result is not used, indexes that wrap around, divisions by zero, " +
			"shifts that are too large, NaN, endless loops. Each finding names the line, the task or invocation, and the calls. " +
			"The exit status is 1 if anything is found, or the run was cut short. For a kernel, give buffers, grid and workgroup size as for dispatch; a workload takes its own flags. With a RECORDING, check executes its run again; with a CAPTURE, its activation once.",
		Example: "vyretop check ./my-workload\nvyretop check --run ./my-workload --for 1m\nvyretop check --run run.mcap\nvyretop check --run scale.comp --in 0=samples.bin --grid 4",
		Args:    arguments(1, 1, "WORKLOAD|DIR|FILE.comp|RECORDING|CAPTURE"),
	}
	f.register(c.Flags())
	_, definition, missing := a.findWorkload("check", c.Flags(), args, 0)
	if definition != nil {
		long := c.Long
		addWorkloadFlags(c, definition)
		c.Long = long
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := f.check(c.Flags(), args[0]); err != nil {
			return err
		}
		recorded, captured := fixtures.IsRecording(args[0]), capture.IsCapture(args[0])
		switch {
		case f.run && captured:
			return checkCapture(c.Context(), a, f, args[0])
		case captured:
			return usage(args[0]+" is a capture of one task", "add --run to run its activation under the checkers")
		case f.run && recorded:
			return checkRecording(c.Context(), a, f, args[0])
		case recorded:
			return usage(args[0]+" is a recording", "add --run to execute its run under the checkers")
		case f.run && isKernelFile(args[0]):
			return checkRun(c.Context(), a, f, c.Flags(), args[0])
		case f.run && missing != nil:
			return missing
		case f.run:
			return checkTasks(c.Context(), a, f, definition, c.Flags(), args[0])
		}
		choices, err := f.choices()
		if err != nil {
			return err
		}
		debug.SetMemoryLimit(readerMargin)
		d, err := compiled(c.Context(), args[0], choices)
		if err != nil {
			return err
		}
		return a.printCheck(d, f.json)
	}
	return c
}

// isKernelFile tells a kernel from the name of a workload or its folder.
func isKernelFile(name string) bool {
	if info, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		return err == nil && !info.IsDir()
	}
	return filepath.Ext(name) != ""
}

// compiled says what the front end finds in the kernel of a file, or in that of a workload.
func compiled(ctx context.Context, name string, choices dispatch.Choices) (check.Compiled, error) {
	if !isKernelFile(name) {
		return taskcheck.Compile(ctx, name)
	}
	p, found, err := dispatch.CompileFile(name, choices)
	if errors.Is(err, engine.ErrInvalidProgram) && errors.As(err, &found) {
		return check.NewCompiled(name, nil, found), nil
	}
	if err != nil {
		return check.Compiled{}, err
	}
	return check.NewCompiled(name, p, slices.Concat(p.Outside, check.TooLarge(p), found)), nil
}

// printCheck prints what was found and keeps the exit status.
func (a *app) printCheck(d check.Compiled, asJSON bool) error {
	if !d.OK {
		a.status = exitUsage
	}
	if asJSON {
		return writeJSON(a.stdout, d)
	}
	for _, found := range d.Diagnostics {
		fmt.Fprintln(a.stderr, found)
	}
	if !d.OK {
		return nil
	}
	return check.WriteCompiled(a.stdout, d)
}
