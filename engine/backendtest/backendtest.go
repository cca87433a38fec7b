// Package backendtest opens backends for the tests of everything that runs on one: the reference backend,
// and in a build with OpenGL the device that tests use.
//
// Nothing but tests imports it.
package backendtest

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/reference"
)

// All opens a backend by name; gl is among them where it is built in. A backend is closed when the test ends.
var All = map[string]func(t testing.TB) engine.Backend{
	"reference": func(t testing.TB) engine.Backend { return Reference(t, reference.Options{Seed: 1}) },
}

// OnEach runs a test on every backend of this build, each new and closed when the test ends.
func OnEach(t *testing.T, f func(t *testing.T, b engine.Backend)) {
	for name, open := range All {
		t.Run(name, func(t *testing.T) { f(t, open(t)) })
	}
}

// Reference opens a reference backend that is closed when the test ends.
func Reference(t testing.TB, o reference.Options) *reference.Backend {
	t.Helper()
	b, err := reference.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	closeAtEnd(t, b)
	return b
}

func closeAtEnd(t testing.TB, b engine.Backend) {
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}
