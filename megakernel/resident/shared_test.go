package resident_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/resident"
	"vyretop/tasks"
)

// mostCompiled bounds what OpenGL on processors compiles for the tests of this package with empty caches: shared and a variant of it, steered
// and two variants, remembering before and after a reload, a kernel that checks its indexes, one with a wider workgroup, and the probes
// of the device, which are small.
const mostCompiled = 9 + 13

// TestMain also fails where tests have kernels compiled that others do not share.
func TestMain(m *testing.M) {
	code := m.Run()
	if n := backendtest.Compiled(); code == 0 && n > mostCompiled && !*core && flag.Lookup("test.bench").Value.String() == "" {
		fmt.Fprintf(os.Stderr, "the tests had OpenGL compile %d programs, want at most %d. Fix: use the handlers of shared, steered or remembering\n", n, mostCompiled)
		code = 1
	}
	os.Exit(code)
}

// Opcodes of shared, beside opWork and the next one, which are those of endless, and beside those of outcomes.
const (
	opCountdown = opTalker + 1 + iota
	opLoops
	opCycle
	opBusy
	opEndless
	opSwitches
	opNested
	opHeld
	opStubborn
	opMixed
	opMixedChild
	opSpawner
	opSpawned
)

// sharedNames are the handlers of shared, in the order of their opcodes.
var sharedNames = strings.Fields("work once requeuer waiter failing parent child runaway wrapper talker " +
	"countdown loops cycle busy endless switches nested held stubborn mixed mixed_child spawner spawned")

// shared is a kernel with the handlers of several tests, each at an opcode of its own: OpenGL on processors compiles a kernel
// for as long as all else takes that most tests do. A test for which the text matters assembles its own.
func shared(t testing.TB, b engine.Backend) *kernel.Kernel {
	return sharedWith(t, b, kernel.Config{WorkgroupSize: 8})
}

// sharedWith has the handlers of shared in a kernel of another configuration.
func sharedWith(t testing.TB, b engine.Backend, c kernel.Config) *kernel.Kernel {
	text := outcomes + named(countdown, "countdown") + named(loops, "loops") + named(busy, "busy") + named(loopy, "endless") + held + stubborn +
		endless + mixed + family
	return assembleWith(t, b, c, text, sharedNames...)
}

// Opcodes of steered, beside opWork and the next one, which are those of counting.
const (
	opStopped = opWork + 2 + iota
	opStoppedOther
	opTogether
	opAlone
	opForever
)

// steered is a kernel like shared with the handlers of the tests of breakpoints, and with those for whole workers.
func steered(t testing.TB, b engine.Backend, lanes int) *kernel.Kernel {
	c := assembleWith(t, b, kernel.Config{WorkgroupSize: lanes}, steeredText, "work").Config
	c.Handlers = nil
	for i, name := range strings.Fields("work other stopped stopped_other together alone forever") {
		c.Handlers = append(c.Handlers, kernel.Handler{Opcode: opWork + uint32(i), Name: name, Function: name, Cooperative: name == "together" || name == "forever"})
	}
	k, err := kernel.Assemble(c)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

var steeredText = strings.NewReplacer("void work(", "void stopped(", "void other(", "void stopped_other(").Replace(stopped) + counting + cooperative

// Places in the handlers of steered at which tests on OpenGL set breakpoints.
var (
	inStopped   = stopCases[1].at
	inCounting  = breakpoint.Place{File: "handlers.glsl", Line: 4 + strings.Count(steeredText[:strings.Index(steeredText, counting)], "\n"), If: "t.continuation_pc == 2u"}
	secondWrite = breakpoint.Place{Watch: "control[150]", If: "value == 2u && old == 1u"}
)

// armAmong sets a breakpoint. Where a kernel variant takes seconds to compile it sets those of the other tests, too, which count
// only, so that all of these tests run the same variant.
func armAmong(t *testing.T, on engine.Backend, s *resident.Session, b breakpoint.Breakpoint) (st breakpoint.Status) {
	t.Helper()
	if !backendtest.CompilesSlowly(on) {
		return arm(t, s, b)
	}
	var list []breakpoint.Breakpoint
	for _, at := range []breakpoint.Place{inStopped, inCounting, secondWrite} {
		list = append(list, breakpoint.Breakpoint{Place: &at, Action: breakpoint.Count})
	}
	defer s.Expect(list)()
	for _, other := range list {
		if *other.Place != *b.Place {
			arm(t, s, other)
			continue
		}
		st = arm(t, s, b)
	}
	return st
}

// The handlers of remembering, which have buffers of their own.
const (
	_ = opWork + iota // of version
	opMark
	opTell
)

var rememberingNames = []string{"work", "mark", "tell"}

// remembered are the buffers of remembering.
var remembered = append([]resident.BufferInit{
	{Name: "cells", Binding: 8, Words: 2 + 2*16, Data: []uint32{16}, Placement: engine.DeviceLocal},
	{Name: "seen", Binding: 9, Words: 1, Placement: engine.HostVisible},
	{Name: "probe", Binding: 11, Words: 1024},
}, stopWord...)

// remembering is a kernel like shared with handlers that have buffers.
func remembering(t testing.TB, b engine.Backend) *kernel.Kernel {
	return assemble(t, b, version("// 1", 1)+rememberingText(), 8, rememberingNames...)
}

// rememberingText has the handlers but the first, of which there are versions.
func rememberingText() string { return cellsHandler + probeHandler() }

// named is a text of handlers whose work has another name.
func named(text, name string) string { return strings.Replace(text, "void work(", "void "+name+"(", 1) }

// of gives tasks an opcode.
func of(op uint32, list []tasks.Task) []tasks.Task {
	for i := range list {
		list[i].Opcode = op
	}
	return list
}
