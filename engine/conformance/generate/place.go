package generate

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/tree"
)

// read writes an expression that reads a part of a visible variable as a value of type t; it is ""
// when no variable has such a part.
func (g *generator) read(t *tree.Type) string {
	list := slices.DeleteFunc(g.visible(), func(v *variable) bool {
		return !reaches(v.t, t) || v.base != "" && t.IsArray()
	})
	if len(list) == 0 {
		return ""
	}
	v := list[len(list)-1-g.t.below(len(list))] // the newest is the simplest choice
	return g.descend(v.name, v.base, v.t, t)
}

// descend continues from a value of type from, written as text, to a part of type to.
func (g *generator) descend(text, base string, from, to *tree.Type) string {
	switch {
	case from.Equal(to):
		return text
	case from.IsArray():
		return g.descend(text+g.index(base, from.Len), "", from.Elem, to)
	case from.Class == tree.ClassStruct:
		var fits []tree.Member
		for _, m := range from.Struct.Members {
			if reaches(m.Type, to) {
				fits = append(fits, m)
			}
		}
		m := pick(g.t, fits)
		return g.descend(text+"."+m.Name, "", m.Type, to)
	case from.IsScalar():
		return fmt.Sprintf("%s(%s)", to, text)
	case to.IsScalar() && g.t.below(3) == 2:
		return component(g, text, from.Width, false)
	default:
		return text + "." + g.lanesOf(from.Width, to.Width, false)
	}
}

// component decides for a component of a vector, by an index of it or of a swizzle.
func component(g *generator, text string, width int, target bool) string {
	if g.t.below(4) == 3 {
		n := 2 + g.t.below(width-1)
		return text + "." + g.lanesOf(width, n, target) + g.index("", n)
	}
	return text + g.index("", width)
}

// lanesOf decides for a swizzle of n components of a vector; the components of a target differ.
func (g *generator) lanesOf(width, n int, target bool) string {
	free := []byte("xyzw")[:width]
	var lanes []byte
	for range n {
		i := g.t.below(len(free))
		lanes = append(lanes, free[i])
		if target {
			free = slices.Delete(free, i, i+1)
		}
	}
	return string(lanes)
}

// index writes a subscript that is in range.
func (g *generator) index(base string, n int) string {
	text := fmt.Sprintf("%du", g.t.below(n))
	if g.spend() && g.t.below(3) == 2 {
		text = fmt.Sprintf("(%s %% %du)", g.expr(tree.Uint, 1), n)
	}
	if base != "" {
		text = base + " + " + text
	}
	return "[" + text + "]"
}

// target decides for something to write to, other than the variables in but; ok is false when
// nothing can be written here.
func (g *generator) target(but ...*variable) (text string, t *tree.Type, v *variable, ok bool) {
	list := slices.DeleteFunc(g.visible(), func(v *variable) bool {
		return v.constant || slices.Contains(but, v) || g.fn.pure && slices.Contains(g.globals, v)
	})
	if len(list) == 0 {
		return "", nil, nil, false
	}
	v = list[len(list)-1-g.t.below(len(list))]
	text, t = g.part(v.name, v.base, v.t)
	return text, t, v, true
}

// part decides for the whole of a value that can be written, or for a part of it.
func (g *generator) part(text, base string, t *tree.Type) (string, *tree.Type) {
	if base == "" && g.t.below(3) == 0 {
		return text, t
	}
	switch {
	case t.IsArray():
		return g.part(text+g.index(base, t.Len), "", t.Elem)
	case t.Class == tree.ClassStruct:
		m := pick(g.t, t.Struct.Members)
		return g.part(text+"."+m.Name, "", m.Type)
	case t.IsVector() && g.t.below(2) == 1:
		n := 1 + g.t.below(t.Width)
		return text + "." + g.lanesOf(t.Width, n, true), tree.Vector(t.Kind, n)
	case t.IsVector() && g.t.below(3) == 2:
		return component(g, text, t.Width, true), t.Element()
	}
	return text, t
}
