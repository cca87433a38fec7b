// Package emit writes a typed tree as the GLSL 4.50 text that a driver compiles.
//
// The text says in full what the kernel language defines and GLSL leaves open: variables, results
// and shared memory start as zero; shifts, divisions and bit fields have results for all operands; and
// what computes with floats calls the functions of this package, so that every device computes the
// bits that the reference backend computes.
//
// The text begins with the #version line and those functions, as source string 1. The kernel
// follows as source string 0: its line numbers count on from the #version line whatever functions
// came between, and each line leads back to the source through the LineMap. Names are those of the
// source, with a suffix where a driver could take them for something else.
//
// # Prelude
//
// A Prelude has the GLSL functions through which kernels compute on a driver: with floats, and with
// integers where GLSL leaves results open. The routines on floats are translated from package floats, which
// says what they compute; what they are built from is written here. It collects the functions that
// one kernel uses.
//
// ## Hidden constants
//
// Compilers rewrite arithmetic on constants in spite of precise: Mesa before 24 makes 0.0 of x * 0.0,
// x of x + 0.0, -x of 0.0 - x and x * (c * d) of (x * c) * d, early or late. So no operand may be a
// constant that the compiler can see. Every float that comes from a literal, an integer, a bool or bits
// is combined with vt_f_hidden, which is 0 in every invocation, and of which compilers know no bit: a
// shift of it to a place where all bits are known to be 0 would be a constant again.
package emit

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// OwnLines stands between the functions and the kernel's own lines.
const OwnLines = "#line 2 0\n"

// Output is a written program.
type Output struct {
	Text    string
	Lines   preprocess.LineMap // of source string 0
	Floats  bool               // the text depends on how the device computes with floats
	Doubles bool               // and on how it does with doubles
	// Elements: the text depends on Device.Elements.
	Elements bool
	Shared   []*tree.Variable // the shared variables, of the types that the text gives them
}

// Text writes p for a device that computes floats as d says. Line numbers, and so the LineMap, do
// not depend on d.
func Text(p *tree.Program, d Device) Output {
	w := &writer{prog: p, prelude: NewPrelude(d), names: newNames(p), memory: surveyed(p), helpers: helpers{names: map[string]string{}}}
	w.line(source.Pos{}, "layout(local_size_x = %d, local_size_y = %d, local_size_z = %d) in;", p.LocalSize[0], p.LocalSize[1], p.LocalSize[2])
	w.module()
	w.b.WriteString(helperMark)
	for _, f := range p.Functions {
		w.function(f)
	}
	body := strings.Replace(w.b.String(), helperMark, w.helpers.text, 1)
	functions := w.prelude.Text()
	return Output{
		Text:    "#version 450\n" + subgroupHeader(w) + neededHeader(p) + "#line 1 1\n" + functions + OwnLines + body,
		Lines:   preprocess.MapLines(append([]source.Pos{{}}, w.places...)),
		Floats:  w.equality || w.prelude.doubles || strings.Contains(functions, "float"),
		Doubles: w.prelude.doubles,

		Elements: w.memory.elements, Shared: sharedVariables(w),
	}
}

// neededHeader enables the extensions that the program needs.
func neededHeader(p *tree.Program) string {
	header := ""
	for _, name := range p.Needs {
		header += "#extension " + name + " : require\n"
	}
	return header
}

// writer collects the kernel's own lines.
type writer struct {
	prog    *tree.Program
	prelude *Prelude
	names   *names
	memory  survey

	b      strings.Builder
	places []source.Pos // of each line so far
	indent int

	switches switches
	loops    int  // around what is being written, in this function
	equality bool // floats are compared, which a trusted device does without a function
	returns  returning

	helpers helpers
}

func (w *writer) line(pos source.Pos, format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
	w.places = append(w.places, pos)
}

// block writes "head {", the lines that body writes, and "}".
func (w *writer) block(pos source.Pos, head string, body func()) {
	w.line(pos, "%s", strings.TrimSpace(head+" {"))
	w.indent++
	body()
	w.indent--
	w.line(pos, "}")
}
