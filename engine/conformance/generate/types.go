package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// shortKinds are the kinds of 32 bits, which functions of subgroups take; the last one is bool.
var shortKinds = []tree.Kind{tree.KindUint, tree.KindInt, tree.KindFloat, tree.KindBool}

// kinds are those of the components of the kernel's variables, numbers those but bool.
func kinds(g *generator) []tree.Kind { return append(numbers(g), tree.KindBool) }

func numbers(g *generator) []tree.Kind {
	list := slices.Clone(shortKinds[:3])
	if g.wide {
		list = append(list, tree.KindDouble, tree.KindInt64, tree.KindUint64)
	}
	if g.narrow {
		list = append(list, tree.NarrowKinds()...)
	}
	return list
}

// valueType decides for a scalar or vector type.
func (g *generator) valueType() *tree.Type {
	return tree.Vector(pick(g.t, kinds(g)), 1+g.t.below(4)*g.t.below(2))
}

// storable is a value type that buffers hold with one representation, so no bool.
func (g *generator) storable() *tree.Type {
	return tree.Vector(pick(g.t, numbers(g)), 1+g.t.below(4)*g.t.below(2))
}

// anyType decides for a type of variables: mostly scalars and vectors.
func (g *generator) anyType() *tree.Type {
	switch c := g.t.below(9); {
	case c == 8:
		return anyMatrix(g)
	case c == 7 && len(g.structs) > 0:
		return pick(g.t, g.structs)
	case c == 6:
		return tree.ArrayOf(g.element(), 1+g.t.below(5))
	default:
		return g.valueType()
	}
}

// anyMatrix decides for a matrix, mostly a small one: what drivers compile for a large one is long.
func anyMatrix(g *generator) *tree.Type {
	k := tree.KindFloat
	if g.wide && g.t.below(2) == 1 {
		k = tree.KindDouble
	}
	if g.narrow && g.t.below(2) == 1 {
		k = tree.KindFloat16
	}
	return tree.Matrix(k, 2+g.t.below(3)*g.t.below(2), 2+g.t.below(3)*g.t.below(2))
}

// element decides for the type of the elements of an array.
func (g *generator) element() *tree.Type {
	if c := g.t.below(6); c == 5 && len(g.structs) > 0 {
		return pick(g.t, g.structs)
	} else if c == 4 {
		return tree.ArrayOf(g.storable(), 1+g.t.below(3))
	}
	return g.storable()
}

// makeStructs declares structures.
func (g *generator) makeStructs() string {
	var text strings.Builder
	for range 2 {
		g.optional(3, func() {
			t := g.structure()
			fmt.Fprintf(&text, "struct %s {%s };\n", t, memberList(t.Struct.Members))
			g.structs = append(g.structs, t)
		})
	}
	return text.String()
}

// structure decides for the members of a structure.
func (g *generator) structure() *tree.Type {
	var members []tree.Member
	for i := range 1 + g.t.below(4) {
		t := g.storable()
		if g.t.below(4) == 3 {
			t = g.element()
		}
		members = append(members, tree.Member{Name: fmt.Sprintf("m%d", i), Type: t})
	}
	return tree.NewStruct(g.fresh("S"), members, source.Pos{})
}

func memberList(members []tree.Member) string {
	var text strings.Builder
	for _, m := range members {
		fmt.Fprintf(&text, " %s %s;", m.Type, m.Name)
	}
	return text.String()
}

// reaches reports whether a part of a value of type from is, or can be made by a swizzle into, a value
// of type to.
func reaches(from, to *tree.Type) bool {
	switch {
	case from.Equal(to):
		return true
	case from.IsArray():
		return reaches(from.Elem, to)
	case from.Class == tree.ClassStruct:
		return slices.ContainsFunc(from.Struct.Members, func(m tree.Member) bool { return reaches(m.Type, to) })
	}
	return to.Width > 0 && from.Kind == to.Kind
}
