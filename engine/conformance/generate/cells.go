package generate

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// cells is a buffer of structures or arrays, some of which each invocation has for itself. Drivers have to find out which of their parts
// may be the same.
type cells struct {
	own *tree.Type // array of what an invocation has
}

// makeCells decides for such a buffer, or for none.
func makeCells(g *generator) (c *cells) {
	g.optional(3, func() {
		t := tree.ArrayOf(g.storable(), 1+g.t.below(3))
		if len(g.structs) > 0 && g.t.below(4) != 0 {
			t = pick(g.t, g.structs)
		}
		c = &cells{own: tree.ArrayOf(t, 1+g.t.below(3))}
		first := "0u" // a constant, as drivers look at those in another way
		if g.lanes*g.groups > 1 {
			first = fmt.Sprintf("gl_GlobalInvocationID.x * %du", c.own.Len)
		}
		g.globals = append(g.globals, &variable{name: "cells", t: c.own, base: first})
	})
	return c
}

// member is the buffer's only one, for a number of invocations.
func (c *cells) member(lanes int) *tree.Struct {
	all := tree.ArrayOf(c.own.Elem, c.own.Len*lanes)
	return tree.NewStruct("Cells", []tree.Member{{Name: "cells", Type: all}}, source.Pos{}).Struct
}

// words is how large the buffer is.
func (c *cells) words(lanes int) int { return (c.member(lanes).Size() + 3) / 4 }

// declaration writes the buffer.
func (c *cells) declaration() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("layout(std430, binding = %d) buffer Cells { %s cells[]; };\n", bindingCells, c.own.Elem)
}
