package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// generator is the state of making one kernel.
type generator struct {
	t         *Tape
	structs   []*tree.Type
	functions []*function
	globals   []*variable
	scope     []*variable // visible where the text is being written, globals left out

	text    strings.Builder // of the function being written
	indent  int
	names   int // made so far, so that each is used once
	budget  int // operators and calls that may still be written
	fn      *function
	loops   int  // around the text being written, in this function
	joint   int  // of those, how many all invocations go round together: none may leave them
	leave   bool // return is possible here
	long    bool // the kernel has a long loop
	wide    bool // it has components of 64 bits
	narrow  bool // and of 8 and 16
	trinary bool // it has functions of GL_AMD_shader_trinary_minmax
	shared  sharing
	lanes   int // of a workgroup
	groups  int // of the grid
}

// function is a generated function.
type function struct {
	name   string
	result *tree.Type
	params []*variable
	pure   bool // changes nothing but its parameters, of which none is out or inout
	cost   int  // operators in it and in what it calls
	text   string
}

// variable is something that can be read, and perhaps written.
type variable struct {
	name     string
	t        *tree.Type
	constant bool // may not be written
	mode     tree.Mode
	base     string // of an array that is part of a larger one: added to each index
}

// fresh makes a name that is used nowhere else.
func (g *generator) fresh(prefix string) string {
	g.names++
	return fmt.Sprintf("%s%d", prefix, g.names)
}

func (g *generator) line(format string, args ...any) {
	g.text.WriteString(strings.Repeat("  ", g.indent))
	fmt.Fprintf(&g.text, format, args...)
	g.text.WriteByte('\n')
}

// optional makes something in a span of its own, or, once in n times, nothing; the latter is the
// simplest choice.
func (g *generator) optional(n int, thing func()) {
	defer g.t.span()()
	if g.t.below(n) != 0 {
		thing()
	}
}

// visible lists what can be read here.
func (g *generator) visible() []*variable { return slices.Concat(g.scope, g.globals) }
