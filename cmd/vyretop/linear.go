package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"

	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/alert"
	"vyretop/megakernel/inspect"
	"vyretop/tui"
)

// linearOptions are those of the user's configuration.
func (a *app) linearOptions() (tui.LinearOptions, error) {
	w, err := alert.New(a.config.Alerts)
	return tui.LinearOptions{Alerts: w}, err
}

// tell prints what a live source does until it or ctx ends, or ended is closed.
func (a *app) tell(ctx context.Context, s tui.LinearSource, ended <-chan struct{}) error {
	o, err := a.linearOptions()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		select {
		case <-ended:
			cancel()
		case <-stop:
		}
	}()
	return tui.RunLinear(ctx, a.stdout, s, o)
}

// tellRecording prints what a recording shows, from its beginning to its end and without waiting.
func (a *app) tellRecording(ctx context.Context, rec *fixtures.Recording) error {
	o, err := a.linearOptions()
	if err != nil {
		return err
	}
	target := rec.Header().Target
	teller := tui.NewTeller(&target, o)
	out := bufio.NewWriter(a.stdout)
	err = inspect.NewRecorded(rec).Follow(ctx, func(m *fixtures.StreamMessage) error {
		var events []megakernel.HostEvent
		if m.Event != nil {
			events = append(events, *m.Event)
		}
		for _, line := range teller.Tell(m.Snapshot, events) {
			fmt.Fprintln(out, line)
		}
		return nil
	})
	return errors.Join(err, out.Flush())
}
