package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"vyretop/engine"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/workload"
)

// maxLosses is how many losses of its device a run survives. A kernel that brings the device down does so each time.
const maxLosses = 3

// runOn runs a workload on an opened backend. When the device is lost it is taken again and the run starts again, from
// its inputs: what was in device memory is gone, and tasks that ran may have changed what the host still sees. again
// makes the workload.
func (a *app) runOn(ctx context.Context, f *runFlags, again func() (workload.Workload, error), backend engine.Backend, shape *tune.Entry) error {
	for c := (attempt{backend: backend, shape: shape, record: f.record}); ; c.losses++ {
		w, err := again()
		if err != nil {
			return err
		}
		if err = a.runOnce(ctx, f, w, &c); !errors.Is(err, engine.ErrDeviceLost) || ctx.Err() != nil {
			return err
		}
		if err := c.recover(ctx, err); err != nil {
			return err
		}
		fmt.Fprintln(a.stderr, "vyretop: "+c.notice)
		if c.record != "" {
			c.record = numbered(f.record, c.losses+2)
			fmt.Fprintf(a.stderr, "vyretop: the recording continues in %s\n", c.record)
		}
	}
}

// attempt is one of the runs that it takes to get a result.
type attempt struct {
	backend engine.Backend
	shape   *tune.Entry
	record  string // file, "" for none
	losses  int    // of the device, before this attempt
	notice  string // what is to be said of them
}

// recover takes the device again after a loss. The error joins that of the loss where it cannot be had.
func (c *attempt) recover(ctx context.Context, loss error) error {
	device, ok := c.backend.(engine.Lifecycle)
	if !ok || c.losses >= maxLosses {
		return loss
	}
	if _, err := device.Recover(ctx); err != nil {
		return errors.Join(loss, err)
	}
	c.notice = fmt.Sprintf("the device was lost and has been recovered; the run starts again from its inputs (loss %d, at most %d)", c.losses+1, maxLosses)
	return nil
}

// numbered is the name of a file with a number before its extension: run.mcap, run-2.mcap.
func numbered(file string, n int) string {
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, ext)
}
