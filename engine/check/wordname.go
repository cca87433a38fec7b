package check

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// placement says how many words apart the parts of a variable lie.
type placement struct {
	stride func(array *tree.Type) int
	member func(m *tree.Member, before int) int // first word of a member, behind that many components
}

var (
	inBuffer = placement{
		stride: func(t *tree.Type) int { return t.Stride() / 4 },
		member: func(m *tree.Member, _ int) int { return int(m.Offset) / 4 },
	}
	inShared = placement{ // densely
		stride: func(t *tree.Type) int { return t.Elem.Components() },
		member: func(_ *tree.Member, before int) int { return before },
	}
)

// word is what the word of a variable is called in the shader, such as "stats[1].mean.y".
func (p placement) word(name string, t *tree.Type, at int) string {
	switch {
	case t.Class == tree.ClassScalar:
		return name
	case t.Class == tree.ClassVector && at < t.Width*t.Element().Size()/4:
		at = at * 4 / t.Element().Size() // a component may have two words
		return name + "." + "xyzw"[at:at+1]
	case t.Class == tree.ClassStruct:
		return p.inStruct(name, t, at)
	case t.IsArray() && !t.RowMajor && p.stride(t) > 0:
		n := p.stride(t)
		return p.word(fmt.Sprintf("%s[%d]", name, at/n), t.Elem, at%n)
	}
	return fmt.Sprintf("%s, word %d", name, at)
}

func (p placement) inStruct(name string, t *tree.Type, at int) string {
	found, first, before := -1, 0, 0
	for i := range t.Struct.Members {
		m := &t.Struct.Members[i]
		if from := p.member(m, before); from <= at {
			found, first = i, from
		}
		before += m.Type.Components()
	}
	if found < 0 {
		return fmt.Sprintf("%s, word %d", name, at)
	}
	m := &t.Struct.Members[found]
	return p.word(name+"."+m.Name, m.Type, at-first)
}
