package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxChosen bounds the images of an array that is indexed by a value which is not constant: a function on it is there for each of them.
const maxChosen = 16

// imageElement parses "[i]" after the name of an array of images.
func imageElement(p *parser, s *symbol, t source.Token) *symbol {
	p.expect("[")
	pos := p.pos()
	i := p.expression()
	p.expect("]")
	if p.recovering || isBroken(i) {
		return nil
	}
	c := constant(i)
	switch {
	case !i.Type().IsScalar() || !i.Type().Kind.IsInteger():
		p.malformed(pos, "[]", "use an int or a uint", "the index of %s is %s", t.Text, i.Type())
	case c == nil && len(s.buffers) > maxChosen:
		p.outside(pos, t.Text, "use a constant index", "an array of more than %d images is indexed by constants only", maxChosen)
	case c == nil && !hasNoEffects(i):
		p.outside(pos, t.Text, "put the index in a variable first", "the index of an image has side effects")
	case c == nil:
		return &symbol{kind: symImage, buffer: s.buffer, buffers: s.buffers, index: i, access: s.access}
	case uint64(c.Bits[0]) >= uint64(len(s.buffers)):
		p.malformed(pos, "[]", "use an index within the bounds", "the index is out of range for %d images %s", len(s.buffers), t.Text)
	default:
		return &symbol{kind: symImage, buffer: s.buffers[c.Bits[0]], access: s.access}
	}
	return nil
}

// hasNoEffects reports whether e may be evaluated on several ways: it assigns nothing, and calls own functions at most.
func hasNoEffects(e tree.Expr) bool {
	none := true
	tree.Inspect(e, func(x tree.Expr) bool {
		switch x := x.(type) {
		case *tree.Assign, *tree.IncDec, *tree.Atomic:
			none = false
		case *tree.Call:
			none = none && x.Func.Pos.File == ImageFile
		}
		return none
	})
	return none
}

// chosen is a call of a function on one image of an array: that which the index names, the last one when there is none.
func (c *imageCall) chosen(s *symbol) tree.Expr {
	for _, a := range c.args {
		if !hasNoEffects(a) {
			c.p.outside(a.Pos(), c.name.Text, "put the value in a variable first", "an argument with side effects beside an image with an index that is not constant is outside the kernel language")
			return broken(c.name.Pos)
		}
	}
	var list []tree.Expr
	for _, b := range s.buffers {
		c.b = b
		e := c.expr()
		if isBroken(e) {
			return e
		}
		list = append(list, e)
	}
	out := list[len(list)-1]
	for i := len(list) - 2; i >= 0; i-- {
		number := &tree.Const{Node: tree.Node{T: s.index.Type(), At: c.name.Pos}, Bits: []uint32{uint32(i)}}
		same := &tree.Binary{Node: c.node(tree.Bool), Op: tree.Equal, X: s.index, Y: number}
		out = &tree.Conditional{Node: c.node(out.Type()), Cond: same, Then: list[i], Else: out}
	}
	return out
}
