package glsl

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// specValue is the value that Options.Spec gives the specialization constant that id names, of a scalar type; nil when it
// gives none, or none that the type can have.
func specValue(p *parser, id layoutID, t *tree.Type) *tree.Const {
	if !id.valid {
		return nil
	}
	number := uint32(id.value)
	p.layout.spec[number] = true
	text, given := p.opts.Spec[number]
	if !given {
		return nil
	}
	c, err := ParseScalar(text, t.Kind)
	if err != nil {
		p.malformed(id.pos, "constant_id", "give a value of type "+t.String(), "the specialization constant %d is %s, and %q is not one", number, t, text)
		return nil
	}
	return &tree.Const{Node: tree.Node{T: t, At: id.pos}, Bits: c}
}

// ParseScalar reads the words of one component as GLSL writes it, with or without the suffix of its kind.
func ParseScalar(text string, k tree.Kind) ([]uint32, error) {
	e, err := Expression(wideNumber(text, k), &tree.Program{LocalSize: [3]uint32{1, 1, 1}}, nil)
	if err != nil {
		return nil, err
	}
	c := constant(e)
	if c == nil || !c.T.IsScalar() {
		return nil, strconv.ErrSyntax
	}
	from := c.T.Kind
	if k.IsNarrow() {
		return narrowScalar(c, k)
	}
	switch {
	case from == k || from == tree.KindInt && k == tree.KindUint && int32(c.Bits[0]) >= 0:
		return c.Bits, nil
	case convertible(from, k) && k != tree.KindUint && k != tree.KindUint64, k == tree.KindBool && from.IsInteger():
		return constant(convertKind(c, k, true)).Bits, nil
	}
	return nil, strconv.ErrSyntax
}

// narrowScalar is the word of a component of 8 or 16 bits. An integer must be one that it can hold.
func narrowScalar(c *tree.Const, k tree.Kind) ([]uint32, error) {
	v := constant(convertKind(c, k, true))
	if back := constant(convertKind(v, c.T.Kind, true)); c.T.Kind == tree.KindBool || k.IsInteger() && (!c.T.Kind.IsInteger() || back.Bits[0] != c.Bits[0]) {
		return nil, strconv.ErrSyntax
	}
	return v.Bits, nil
}

// wideNumber gives a number that is to have 64 bits the suffix of its kind, so that it is not rounded to 32 before.
func wideNumber(text string, k tree.Kind) string {
	if last := len(text) - 1; last < 0 || !strings.ContainsRune("0123456789.", rune(text[last])) {
		return text
	}
	switch k {
	case tree.KindDouble:
		if strings.ContainsAny(text, ".eE") {
			return text + "lf"
		}
	case tree.KindInt64:
		return text + "l"
	case tree.KindUint64:
		return text + "ul"
	}
	return text
}

// checkSpec refuses values of constants that the kernel does not have.
func checkSpec(p *parser, file string) {
	for _, number := range slices.Sorted(maps.Keys(p.opts.Spec)) {
		if !p.layout.spec[number] && !p.skipped {
			p.malformed(source.Pos{File: file, Line: 1, Col: 1}, "constant_id", "give a number that a constant_id or local_size_x_id of the kernel has", "the kernel has no specialization constant %d", number)
		}
	}
}

// specialized is the initializer of a constant, or the value that takes its place.
func specialized(p *parser, q qualifiers, t *tree.Type, init tree.Expr) tree.Expr {
	for _, id := range q.layout {
		if id.name != "constant_id" {
			continue
		}
		if !t.IsScalar() || init == nil {
			p.malformed(id.pos, id.name, "declare a const of type bool, int, uint or float with a value", "constant_id belongs to scalar constants")
			return init
		}
		if c := specValue(p, id, t); c != nil {
			return c
		}
	}
	return init
}
