package narrow

import "vyretop/engine/glsl/tree"

// maxCopied bounds the components of a value that is copied from or to a packed block as a whole.
const maxCopied = 1024

// load reads the value at a place.
func (r *rewriter) load(p place) tree.Expr {
	return sequence(append(p.before, r.loadAt(p))...)
}

// loadAt reads the value at a place whose temporaries are set.
func (r *rewriter) loadAt(p place) tree.Expr {
	if p.t.Components() > maxCopied {
		outside(r, p.of.At, p.t.String(), "copy its elements in a loop", "a copy of more than %d components of a block with members of 8 or 16 bits or a scalar layout is outside the kernel language", maxCopied)
		return number32(0, p.of.At)
	}
	if p.lanes != nil {
		var parts []tree.Expr
		for _, k := range p.lanes {
			parts = append(parts, p.component(int(k)*p.stepOf()))
		}
		return composed(r.wide(p.t), parts...)
	}
	if p.t.IsScalar() {
		return p.component(0)
	}
	var parts []tree.Expr
	if p.paired() {
		parts = p.pairs()
	} else {
		r.eachPart(p, func(part place, _ int) { parts = append(parts, r.loadAt(part)) })
	}
	return composed(r.wide(p.t), parts...)
}

// paired reports whether the place is a vector of float16_t of which two lie in a word.
func (p place) paired() bool {
	return p.t.IsVector() && p.t.Kind == tree.KindFloat16 && p.step == 0 && !p.of.Buffer.Layout.Scalar
}

// pairs reads such a vector two by two.
func (p place) pairs() []tree.Expr {
	var parts []tree.Expr
	for i := 0; i < p.t.Width; i += 2 {
		pair := called("unpackHalf2x16", p.word(p.address(2*i)))
		if i+1 == p.t.Width {
			pair = swizzled(pair, 0)
		}
		parts = append(parts, pair)
	}
	return parts
}

// eachPart visits the members, elements or components of a value, by their number.
func (r *rewriter) eachPart(p place, visit func(part place, i int)) {
	n := p.t.Len
	if p.t.IsVector() {
		n = p.t.Width
	}
	if p.t.Class == tree.ClassStruct {
		for i := range p.t.Struct.Members {
			part := p
			part.t, part.off = p.t.Struct.Members[i].Type, p.off+p.t.Struct.Members[i].Offset
			visit(part, i)
		}
		return
	}
	stride, step := p.strides()
	for i := range n {
		part := p
		part.t, part.off, part.step = p.t.Element(), p.off+i*stride, step
		visit(part, i)
	}
}

// component reads the scalar k bytes behind the place.
func (p place) component(k int) tree.Expr {
	kind, at := p.t.Kind, p.address(k)
	word := p.word(at)
	switch kind.Bytes() {
	case 8:
		return wideFrom(word, p.word(p.address(k+4)), kind)
	case 4:
		return fromBits(word, kind)
	}
	return narrowFrom(word, at, kind)
}

// wideFrom makes a component of 64 bits of its words.
func wideFrom(low, high tree.Expr, k tree.Kind) tree.Expr {
	words := composed(tree.Vector(tree.KindUint, 2), low, high)
	switch k {
	case tree.KindDouble:
		return called("packDouble2x32", words)
	case tree.KindInt64:
		return called("packInt2x32", converted(words, tree.Vector(tree.KindInt, 2)))
	}
	return called("packUint2x32", words)
}

// narrowFrom takes the component at an address out of its word.
func narrowFrom(word, at tree.Expr, k tree.Kind) tree.Expr {
	bits := uint32(8 * k.Bytes())
	field := operation(tree.BitAnd, operation(tree.ShiftRight, word, shiftOf(at, k)), number32(1<<bits-1, word.Pos()))
	switch {
	case k == tree.KindFloat16:
		return swizzled(called("unpackHalf2x16", field), 0)
	case !k.IsSigned():
		return field
	}
	up := number32(32-bits, word.Pos())
	return operation(tree.ShiftRight, converted(operation(tree.ShiftLeft, field, up), tree.Int), up)
}

// shiftOf is the number of bits below the component at an address in its word.
func shiftOf(at tree.Expr, k tree.Kind) tree.Expr {
	inside := uint32(4 - k.Bytes()) // 3 or 2
	return operation(tree.ShiftLeft, operation(tree.BitAnd, at, number32(inside, at.Pos())), number32(3, at.Pos()))
}

// fromBits makes a component of 32 bits of its word.
func fromBits(word tree.Expr, k tree.Kind) tree.Expr {
	switch k {
	case tree.KindInt:
		return converted(word, tree.Int)
	case tree.KindFloat:
		return called("uintBitsToFloat", word)
	case tree.KindBool:
		return compared(tree.NotEqual, word, number32(0, word.Pos()))
	}
	return word
}

// bitsOf is the word of a component of 32 bits.
func bitsOf(x tree.Expr) tree.Expr {
	if x.Type() == tree.Float {
		return called("floatBitsToUint", x)
	}
	return converted(x, tree.Uint)
}
