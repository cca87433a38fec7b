package narrow

import "vyretop/engine/glsl/tree"

// place is where an access chain in a packed block leads: off bytes behind base.
type place struct {
	t      *tree.Type // as it lies in memory
	of     *tree.BufferRef
	base   *tree.VarRef // a temporary with a number of bytes, or nil
	off    int
	step   int         // bytes between the components of a column of a matrix that lies row by row; else 0
	lanes  []uint8     // of a swizzle
	before []tree.Expr // what sets the temporaries
}

// beyond is an address that no buffer has, nor do those shortly behind it.
const beyond = 1 << 31

// locate finds the place of an access chain.
func (r *rewriter) locate(e tree.Expr) place {
	switch x := e.(type) {
	case *tree.BufferRef:
		m := &x.Buffer.Block.Members[x.Member]
		words := &tree.BufferRef{Node: node(x.Buffer.Packed.Block.Members[0].Type, x.At), Buffer: x.Buffer.Packed}
		return place{t: m.Type, of: words, off: m.Offset}
	case *tree.Field:
		p := r.locate(x.X)
		m := &p.t.Struct.Members[x.Member]
		p.t, p.off = m.Type, p.off+m.Offset
		return p
	case *tree.Swizzle:
		p := r.locate(x.X)
		lanes := x.Lanes
		if p.lanes != nil {
			lanes = make([]uint8, len(x.Lanes))
			for i, k := range x.Lanes {
				lanes[i] = p.lanes[k]
			}
		}
		p.t, p.lanes = x.T, lanes
		return p
	}
	return r.indexed(r.locate(e.(*tree.Index).X), e.(*tree.Index))
}

// indexed selects an element, or a component of a vector.
func (r *rewriter) indexed(p place, x *tree.Index) place {
	stride, step := p.strides()
	c, fixed := x.I.(*tree.Const)
	of := p.t
	p.t = of.Element()
	switch {
	case fixed && p.lanes != nil:
		p.lanes = p.lanes[c.Bits[0]:][:1]
	case fixed && int(c.Bits[0]) < beyond/max(stride, 1):
		p.off, p.step = p.off+int(c.Bits[0])*stride, step
	default:
		p.step = step
		return r.counted(p, of, x, stride)
	}
	return p
}

// strides are the bytes between the elements, and between the components of one.
func (p place) strides() (stride, step int) {
	switch {
	case p.t.IsVector():
		return max(p.step, p.t.Kind.Bytes()), 0
	case p.t.RowMajor:
		return p.t.Column(), p.t.Row()
	case p.t.Matrix:
		return p.t.Column(), 0
	}
	return p.t.Stride(), 0
}

// counted adds an index that is known at run time only. One out of range leads beyond the buffer.
func (r *rewriter) counted(p place, of *tree.Type, x *tree.Index, stride int) place {
	v := r.temp(tree.Uint, x.At)
	p.before = append(p.before, set(v, converted(r.value(x.I), tree.Uint)))
	count := tree.Expr(number32(uint32(max(of.Len, of.Width)), x.At))
	if of.Class == tree.ClassRuntimeArray {
		count = p.count(p.off, stride)
	}
	at := operation(tree.Add, &tree.Binary{Node: node(tree.Uint, x.At), Op: tree.Mul, X: v, Y: number32(uint32(stride), x.At)}, number32(uint32(p.off), x.At))
	if p.base != nil {
		at = operation(tree.Add, at, p.base)
	}
	p.before = append(p.before, set(v, &tree.Conditional{
		Node: node(tree.Uint, x.At), Cond: compared(tree.Less, v, count), Then: at, Else: number32(beyond, x.At),
	}))
	p.base, p.off = v, 0
	return p
}

// count is the number of elements of the runtime array that begins at an offset.
func (p place) count(off, stride int) tree.Expr {
	length := &tree.Length{Node: node(tree.Int, p.of.At), X: p.of}
	bytes := operation(tree.ShiftLeft, converted(length, tree.Uint), number32(2, p.of.At))
	rest := &tree.Binary{Node: node(tree.Uint, p.of.At), Op: tree.Sub, X: bytes, Y: number32(uint32(off), p.of.At)}
	return operation(tree.Div, rest, number32(uint32(stride), p.of.At))
}

// length rewrites .length() of a runtime array.
func (r *rewriter) length(x *tree.Length) tree.Expr {
	if !inPacked(x.X) {
		return &tree.Length{Node: x.Node, X: r.access(x.X)}
	}
	p := r.locate(x.X)
	return converted(p.count(p.off, p.t.Stride()), tree.Int)
}

// address is the number of bytes to what is k bytes behind the place.
func (p place) address(k int) tree.Expr {
	off := number32(uint32(p.off+k), p.of.At)
	if p.base == nil {
		return off
	}
	return operation(tree.Add, p.base, off)
}

// word is the word that an address is in.
func (p place) word(at tree.Expr) tree.Expr {
	i := operation(tree.ShiftRight, at, number32(2, p.of.At))
	if c, fixed := i.(*tree.Const); fixed && p.of.T.Class == tree.ClassArray && int(c.Bits[0]) >= p.of.T.Len {
		i = number32(0, p.of.At) // of a block that is too small: what is outside was reported
	}
	return &tree.Index{Node: node(tree.Uint, p.of.At), X: p.of, I: i}
}

// stepOf is the distance of the components of the vector at the place.
func (p place) stepOf() int { return max(p.step, p.t.Kind.Bytes()) }
