package resident_test

import (
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/megakernel/kernel"
	"vyretop/tasks"
)

// Opcodes of shared, beside those of outcomes.
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
)

// sharedNames are the handlers of shared, in the order of their opcodes.
var sharedNames = append(append([]string{}, outcomeNames...), "countdown", "loops", "cycle", "busy", "endless", "switches", "nested", "held", "stubborn")

// shared is a kernel with the handlers of several tests, each at an opcode of its own: OpenGL on processors compiles a kernel
// for as long as all else takes that most tests do. A test for which the text matters assembles its own.
func shared(t testing.TB, b engine.Backend) *kernel.Kernel {
	text := outcomes + named(countdown, "countdown") + named(loops, "loops") + named(busy, "busy") + named(loopy, "endless") + held + stubborn
	return assemble(t, b, text, 8, sharedNames...)
}

// named is a text of handlers whose work has another name.
func named(text, name string) string { return strings.Replace(text, "void work(", "void "+name+"(", 1) }

// of gives tasks an opcode.
func of(op uint32, list []tasks.Task) []tasks.Task {
	for i := range list {
		list[i].Opcode = op
	}
	return list
}
