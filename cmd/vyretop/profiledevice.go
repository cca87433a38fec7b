package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/pflag"

	"vyretop/fixtures"
	"vyretop/megakernel/inspect"
)

// deviceFor is how long the activations of a live run are timed by default.
const deviceFor = 5 * time.Second

// checkDevice refuses flags that are of the interpreter.
func (f *profileFlags) checkDevice(s *pflag.FlagSet, name string) error {
	for _, flag := range []string{"source", "pprof", "lines", "seed", "in", "size", "grid", "workgroup"} {
		if s.Changed(flag) {
			return usage("--"+flag+" does not apply to --device", "leave it out: times are of opcodes, not of lines")
		}
	}
	if isKernelFile(name) && !fixtures.IsRecording(name) {
		return usage("--device needs a live run or a recording", "name one that vyretop list shows, or a FILE.mcap")
	}
	if f.atMost < 0 {
		return usage("invalid --for: must not be negative", "use a duration such as 10s")
	}
	if !s.Changed("for") {
		f.atMost = deviceFor
	}
	return nil
}

// profileDevice times the activations of a live run for a while, or of a recording.
func profileDevice(ctx context.Context, a *app, f *profileFlags, name string) (err error) {
	s, err := a.openSubject(ctx, name, &lookFlags{}, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if s.Kind() == inspect.Raw {
		return usage("--device needs a live run or a recording", "name one that vyretop list shows, or a FILE.mcap")
	}
	done := func() {}
	if s.Kind() == inspect.Live {
		done = a.note("timing the activations of " + name + " (Ctrl-C ends with what was timed)")
	}
	d, err := inspect.TimeActivations(ctx, s, name, f.atMost)
	done()
	if err != nil {
		return err
	}
	again := "record a run with its log, and with tasks that take longer: vyretop run WORKLOAD --log all --record FILE"
	if s.Kind() == inspect.Live {
		again = "switch the log on (vyretop do log all --target " + name + "), and measure for longer with --for"
	}
	if f.json {
		return errors.Join(writeJSON(a.stdout, d), d.Missing(again))
	}
	if missing := d.Missing(again); missing != nil {
		return missing
	}
	return d.Write(a.stdout)
}
