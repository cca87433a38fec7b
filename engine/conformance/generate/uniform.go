package generate

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// makeUniforms declares a uniform block, of either order of matrices, whose members can be read everywhere; block is nil when
// there is none.
func makeUniforms(g *generator) (text string, block *tree.Struct) {
	g.optional(3, func() {
		l := tree.Layout{Std140: true, RowMajor: g.t.below(2) == 1}
		var members []tree.Member
		for range 1 + g.t.below(3) {
			t := g.storable()
			switch g.t.below(4) {
			case 2:
				t = tree.ArrayOf(t, 1+g.t.below(3))
			case 3:
				t = anyMatrix(g)
			}
			v := &variable{name: g.fresh("c"), t: t, constant: true}
			members = append(members, tree.Member{Name: v.name, Type: t})
			g.globals = append(g.globals, v)
		}
		order := "column_major"
		if l.RowMajor {
			order = "row_major"
		}
		text = fmt.Sprintf("layout(std140, %s, binding = %d) uniform Given {%s };\n", order, bindingUniforms, memberList(members))
		block = tree.NewBlock("Given", members, l, source.Pos{})
	})
	return text, block
}
