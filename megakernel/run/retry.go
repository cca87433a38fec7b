package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"vyretop/engine"
)

// MaxLosses is how many losses of its device a run survives. A kernel that brings the device down does so each time.
const MaxLosses = 3

// Attempt is one of the runs that it takes to get a result.
type Attempt struct {
	Record string // file of the recording, "" for none
	Losses int    // of the device, before this attempt
	Notice string // what is to be said of them
}

// Retry runs once until it ends without a loss of the devices of backends. When a device is lost it is taken again and
// once starts again, from its inputs: what was in device memory is gone, and tasks that ran may have changed what the host
// still sees. Each attempt records to a file of its own, named after record. tell is told of losses. The error is that of
// once; where the device cannot be had again the reason joins it.
func Retry(ctx context.Context, backends []engine.Backend, record string, once func(*Attempt) error, tell func(notice string)) error {
	for t := (Attempt{Record: record}); ; t.Losses++ {
		err := once(&t)
		if !errors.Is(err, engine.ErrDeviceLost) || ctx.Err() != nil {
			return err
		}
		if err := t.recover(ctx, backends, err); err != nil {
			return err
		}
		tell(t.Notice)
		if t.Record != "" {
			t.Record = Numbered(record, t.Losses+2)
			tell("the recording continues in " + t.Record)
		}
	}
}

// recover takes the device again after a loss. The error joins that of the loss where it cannot be had.
func (t *Attempt) recover(ctx context.Context, backends []engine.Backend, loss error) error {
	if t.Losses >= MaxLosses {
		return loss
	}
	for _, b := range backends {
		device, ok := b.(engine.Lifecycle)
		if !ok {
			return loss
		}
		if len(backends) > 1 && device.Lost() == nil {
			continue
		}
		if _, err := device.Recover(ctx); err != nil {
			return errors.Join(loss, err)
		}
	}
	t.Notice = fmt.Sprintf("the device was lost and has been recovered; the run starts again from its inputs (loss %d, at most %d)", t.Losses+1, MaxLosses)
	return nil
}

// Numbered is the name of a file with a number before its extension: run.mcap, run-2.mcap.
func Numbered(file string, n int) string {
	ext := filepath.Ext(file)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), n, ext)
}
