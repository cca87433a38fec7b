package emit

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxListed is how many components a zero value may have to be written as one expression; a larger
// array is cleared by a loop.
const maxListed = 64

// initialize gives a variable the value of its initializer, or zero. target is its declaration, or its
// name when it has been declared.
func (w *writer) initialize(d *tree.Declarator, target string) {
	switch {
	case d.Init != nil:
		w.line(d.Var.Pos, "%s = %s;", target, w.expr(d.Init))
	case d.Var.Type.Components() <= maxListed:
		w.line(d.Var.Pos, "%s = %s;", target, w.zero(d.Var.Type))
	default:
		if name := w.names.of(d.Var.Name); name != target {
			w.line(d.Var.Pos, "%s;", target)
		}
		w.clear(d.Var.Pos, w.names.of(d.Var.Name), d.Var.Type, !isWide(d.Var.Type))
	}
}

// clear writes statements that set the variable called name to zero, with loops if it may be indexed.
func (w *writer) clear(pos source.Pos, name string, t *tree.Type, indexed bool) {
	switch {
	case t.Components() <= maxListed:
		w.line(pos, "%s = %s;", name, w.zero(t))
	case t.Class == tree.ClassArray && !indexed:
		for i := range t.Len {
			w.clear(pos, fmt.Sprintf("%s[%d]", name, i), t.Elem, indexed)
		}
	case t.Class == tree.ClassArray:
		i := fmt.Sprintf("%si%d", reserved, w.indent)
		w.block(pos, fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", i, i, t.Len, i), func() {
			w.clear(pos, fmt.Sprintf("%s[%s]", name, i), t.Elem, indexed)
		})
	default:
		for i := range t.Struct.Members {
			m := &t.Struct.Members[i]
			w.clear(pos, name+"."+w.names.of(m.Name), m.Type, indexed)
		}
	}
}

// clearShared sets a shared variable to zero: the invocations of the workgroup share the elements of an
// array, of all its dimensions together; the first clears what is none.
func (w *writer) clearShared(v *tree.Variable) {
	element, elements, whole := w.names.of(v.Name), 1, sharedType(w, v)
	t := whole
	const i = reserved + "i"
	for ; t.IsArray(); t = t.Elem {
		elements *= t.Len
	}
	if elements == 1 {
		w.block(v.Pos, "if (gl_LocalInvocationIndex == 0u)", func() { w.clear(v.Pos, element, whole, true) })
		return
	}
	inner := elements
	for a := whole; a.IsArray(); a = a.Elem {
		inner /= a.Len
		element += fmt.Sprintf("[%s / %du %% %du]", i, inner, a.Len)
	}
	lanes := w.prog.LocalSize[0] * w.prog.LocalSize[1] * w.prog.LocalSize[2]
	w.block(v.Pos, fmt.Sprintf("for (uint %s = gl_LocalInvocationIndex; %s < %du; %s += %du)", i, i, elements, i, lanes), func() {
		w.clear(v.Pos, element, t, true)
	})
}

// zero writes the value of a type whose components are all zero.
func (w *writer) zero(t *tree.Type) string { return w.literal(t, make([]uint32, t.Components())) }
