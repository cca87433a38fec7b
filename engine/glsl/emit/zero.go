package emit

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxListed is how many components a zero value may have to be written as one expression; a larger
// array is cleared by a loop.
const maxListed = 64

// initialize gives a variable the value of its initializer, or zero. declare stands before the
// variable's name: a type, or nothing for a variable that has been declared.
func (w *writer) initialize(d *tree.Declarator, declare string) {
	name := w.names.of(d.Var.Name)
	switch {
	case d.Init != nil:
		w.line(d.Var.Pos, "%s%s = %s;", declare, name, w.expr(d.Init))
	case d.Var.Type.Components() <= maxListed:
		w.line(d.Var.Pos, "%s%s = %s;", declare, name, w.zero(d.Var.Type))
	default:
		if declare != "" {
			w.line(d.Var.Pos, "%s%s;", declare, name)
		}
		w.clear(d.Var.Pos, name, d.Var.Type)
	}
}

// clear writes statements that set the variable called name to zero.
func (w *writer) clear(pos source.Pos, name string, t *tree.Type) {
	switch {
	case t.Components() <= maxListed:
		w.line(pos, "%s = %s;", name, w.zero(t))
	case t.Class == tree.ClassArray:
		i := fmt.Sprintf("%si%d", reserved, w.indent)
		w.block(pos, fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", i, i, t.Len, i), func() {
			w.clear(pos, fmt.Sprintf("%s[%s]", name, i), t.Elem)
		})
	default:
		for i := range t.Struct.Members {
			m := &t.Struct.Members[i]
			w.clear(pos, name+"."+w.names.of(m.Name), m.Type)
		}
	}
}

// zero writes the value of a type whose components are all zero.
func (w *writer) zero(t *tree.Type) string { return w.literal(t, make([]uint32, t.Components())) }
