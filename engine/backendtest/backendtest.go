// Package backendtest opens backends for the tests of everything that runs on one: the reference backend,
// and in a build with OpenGL the device that tests use.
//
// Nothing but tests imports it.
package backendtest

import (
	"flag"
	"sync/atomic"
	"testing"
	"time"

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

// Breathe leaves the processors to kernels and their compiler, before a test looks once more whether something has happened.
func Breathe() { <-time.After(100 * time.Microsecond) }

// EveryVariant is the flag -everyvariant of tests.
var EveryVariant = flag.Bool("everyvariant", false, "tests compile every kernel variant on OpenGL, also where each takes seconds")

// Seeds is how many seeds of random runs a test tries: few, or with -everyvariant all.
func Seeds(few, all uint64) uint64 {
	if *EveryVariant {
		return all
	}
	return few
}

// CompilesSlowly is whether a test does with few kernels: OpenGL on processors takes seconds for each.
func CompilesSlowly(b engine.Backend) bool {
	return !*EveryVariant && b.Profile().LoopIterationLimit.Or(0) > 0
}

// compiled counts the programs that slow drivers have compiled and stored.
var compiled atomic.Uint64

// Compiled is how many programs drivers that take seconds for each have compiled for the tests of this process, but for what they
// found stored and where nothing is stored. The backends are closed by then.
func Compiled() uint64 { return compiled.Load() }

// OnEachVariant is OnEach for tests whose kernels no other test has: with a driver that takes seconds for each they run with
// -everyvariant only.
func OnEachVariant(t *testing.T, f func(t *testing.T, b engine.Backend)) {
	OnEach(t, func(t *testing.T, b engine.Backend) {
		if CompilesSlowly(b) {
			t.Skip("the driver compiles the kernel for seconds: -everyvariant")
		}
		f(t, b)
	})
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
