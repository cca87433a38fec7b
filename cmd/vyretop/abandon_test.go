package main

import (
	"context"
	"errors"
	"io"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/run"
	"vyretop/megakernel/workload"
)

// stubborn is a backend whose driver compiles until it is done, whatever the caller wants.
type stubborn struct {
	engine.Backend
	begun, finish, finished chan struct{}
}

func (s *stubborn) Compile(_ context.Context, p *engine.Program) (engine.Pipeline, error) {
	close(s.begun)
	<-s.finish
	defer close(s.finished)
	return nil, errors.New("compiled too late")
}

// TestInterruptionDoesNotWaitForTheCompiler: Ctrl-C while a driver compiles, which takes seconds, ends the run at once.
func TestInterruptionDoesNotWaitForTheCompiler(t *testing.T) {
	d, err := run.OpenWorkload("collatz")
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &stubborn{backendtest.Reference(t, reference.Options{}), make(chan struct{}), make(chan struct{}), make(chan struct{})}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-b.begun
		cancel()
	}()
	a := &app{stdin: nil, stdout: io.Discard, stderr: io.Discard}
	err = (&runFlags{viewFlags: viewFlags{headless: true}}).runOn(ctx, a, "stubborn", func() (workload.Workload, error) { return w, nil }, b, nil)
	if !errors.Is(err, run.ErrAbandoned) || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	close(b.finish)
	<-b.finished
}
