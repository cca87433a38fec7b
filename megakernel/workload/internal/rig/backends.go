package rig

import (
	"context"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/reference"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/shipped"
)

// Backends opens a backend by name: the reference one, and gl where it is built in. A backend is
// closed when the test ends.
var Backends = map[string]func(t testing.TB) engine.Backend{
	"reference": func(t testing.TB) engine.Backend { return Reference(t, reference.Options{Seed: 1}) },
}

// OnEach runs a test on every backend.
func OnEach(t *testing.T, f func(t *testing.T, b engine.Backend)) {
	for name, open := range Backends {
		t.Run(name, func(t *testing.T) { f(t, open(t)) })
	}
}

// Reference opens a reference backend.
func Reference(t testing.TB, o reference.Options) engine.Backend {
	b, err := reference.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// patience bounds a run of a test; the race detector makes the reference backend many times slower.
const patience = 3 * time.Minute

// Deadline is the context of a test's run.
func Deadline(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// Manifest is that of a shipped workload.
func Manifest(t testing.TB, name string) *workload.Manifest {
	m, err := workload.Load(shipped.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
