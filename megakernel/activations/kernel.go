package activations

import (
	"slices"
	"strings"

	"vyretop/engine/reference/vm"
	"vyretop/megakernel"
)

// OwnFiles is what the names of the kernel's own files begin with.
const OwnFiles = "vyretop/"

// callers are the functions of the kernel that call handlers.
var callers = []string{"vt_dispatch", "vt_dispatch_rare", "vt_dispatch_together", "vt_handle", "vt_handle_small", "vt_operate"}

// Caller reports whether a function of the kernel calls handlers: their stacks end below it.
func Caller(name string) bool { return slices.Contains(callers, name) }

// together is the one that all lanes of a worker run for one task.
const together = "vt_dispatch_together"

// FirstWord is where the memory of handlers begins in a buffer; -1: it has none.
func FirstWord(binding uint32) int {
	switch {
	case binding >= megakernel.FirstUserBinding:
		return 0
	case binding == megakernel.BindControl:
		return megakernel.CtrlObservable0
	}
	return -1
}

// Line is a place in a handler file, or in a file of the kernel where that writes by itself.
type Line struct {
	Function string
	File     string
	Line     int
}

// lineOf is the line of a handler that an instruction belongs to, and whether a handler runs it. What functions of the kernel
// do that a handler calls belongs to the line of the call.
func lineOf(c *vm.Code, pc int) (l Line, handled bool) {
	found := false
	pos := c.Site(pc).Pos
	for _, call := range c.Stack(pc) {
		switch {
		case Caller(call.Func):
			return l, true
		case !found && !strings.HasPrefix(pos.File, OwnFiles):
			l, found = Line{call.Func, pos.File, pos.Line}, true
		case !found && l.File == "":
			l = Line{call.Func, pos.File, pos.Line}
		}
		pos = call.Pos
	}
	return l, false
}
