package narrow

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// store writes a value to a place; wanted says that it is also the value of the expression.
func (r *rewriter) store(p place, value tree.Expr, wanted bool) tree.Expr {
	list := slices.Clone(p.before)
	if p.t.IsScalar() && !wanted && p.t.Kind.Words() == 1 {
		return sequence(append(list, r.storeScalar(p, p.firstLane(), value))...)
	}
	v := r.temp(r.wide(p.t), value.Pos())
	list = append(list, set(v, value))
	list = r.storeParts(list, p, v)
	if wanted {
		list = append(list, v)
	}
	return sequence(list...)
}

// firstLane is the offset of the only component of a scalar.
func (p place) firstLane() int {
	if p.lanes == nil {
		return 0
	}
	return int(p.lanes[0]) * p.stepOf()
}

// storeParts adds what stores a value that may be named more than once.
func (r *rewriter) storeParts(list []tree.Expr, p place, v tree.Expr) []tree.Expr {
	switch {
	case p.t.Components() > maxCopied:
		outside(r, p.of.At, p.t.String(), "copy its elements in a loop", "a copy of more than %d components of a block with members of 8 or 16 bits or a scalar layout is outside the kernel language", maxCopied)
		return list
	case p.t.IsScalar() && p.t.Kind.Words() == 2:
		return append(list, p.storeWide(p.firstLane(), v)...)
	case p.t.IsScalar():
		return append(list, r.storeScalar(p, p.firstLane(), v))
	case p.lanes != nil:
		for i, k := range p.lanes {
			part := p
			part.t, part.lanes, part.off, part.step = p.t.Element(), nil, p.off+int(k)*p.stepOf(), 0
			list = r.storeParts(list, part, swizzled(v, uint8(i)))
		}
		return list
	case p.filled():
		return append(list, p.storeWords(v)...)
	}
	r.eachPart(p, func(part place, i int) { list = r.storeParts(list, part, partOf(v, i)) })
	return list
}

// partOf is member, element or component i of a value.
func partOf(v tree.Expr, i int) tree.Expr {
	switch t := v.Type(); {
	case t.Class == tree.ClassStruct:
		return &tree.Field{Node: node(t.Struct.Members[i].Type, v.Pos()), X: v, Member: i}
	case t.IsVector():
		return swizzled(v, uint8(i))
	}
	return element(v, i)
}

// filled reports whether the place is a vector that fills whole words with components that are narrow.
func (p place) filled() bool {
	return p.t.IsVector() && p.t.Kind.IsNarrow() && p.step == 0 && p.t.Size()%4 == 0 && !p.of.Buffer.Layout.Scalar
}

// storeWords writes such a vector word by word.
func (p place) storeWords(v tree.Expr) []tree.Expr {
	var list []tree.Expr
	each := 4 / p.t.Kind.Bytes()
	for i := 0; i < p.t.Width; i += each {
		word := tree.Expr(nil)
		for k := range each {
			field := fieldOf(swizzled(v, uint8(i+k)), p.t.Kind)
			field = operation(tree.ShiftLeft, field, number32(uint32(8*k*p.t.Kind.Bytes()), v.Pos()))
			if word == nil {
				word = field
			} else {
				word = operation(tree.BitOr, word, field)
			}
		}
		if p.t.Kind == tree.KindFloat16 {
			word = called("packHalf2x16", swizzled(v, uint8(i), uint8(i+1)))
		}
		list = append(list, set(p.word(p.address(i*p.t.Kind.Bytes())), word))
	}
	return list
}

// storeWide writes a component of 64 bits.
func (p place) storeWide(k int, v tree.Expr) []tree.Expr {
	words := called(map[tree.Kind]string{tree.KindDouble: "unpackDouble2x32", tree.KindInt64: "unpackInt2x32", tree.KindUint64: "unpackUint2x32"}[p.t.Kind], v)
	return []tree.Expr{
		set(p.word(p.address(k)), converted(swizzled(words, 0), tree.Uint)),
		set(p.word(p.address(k+4)), converted(swizzled(words, 1), tree.Uint)),
	}
}

// storeScalar writes a component of at most 32 bits, k bytes behind the place. One that shares its word changes its own bits only.
func (r *rewriter) storeScalar(p place, k int, v tree.Expr) tree.Expr {
	at := p.address(k)
	if !p.t.Kind.IsNarrow() {
		return set(p.word(at), bitsOf(v))
	}
	shift := shiftOf(at, p.t.Kind)
	mask := operation(tree.ShiftLeft, number32(1<<(8*p.t.Kind.Bytes())-1, v.Pos()), shift)
	placed := operation(tree.ShiftLeft, fieldOf(v, p.t.Kind), shift)
	changed := operation(tree.BitXor, placed, operation(tree.BitAnd, p.word(at), mask)) // the value first: finding it may store there
	return &tree.Atomic{Node: node(tree.Uint, v.Pos()), Builtin: tree.LookupBuiltin("atomicXor"), Op: tree.AtomicXor, Target: p.word(at), Value: changed}
}

// fieldOf is the bits of a narrow component, all others 0.
func fieldOf(v tree.Expr, k tree.Kind) tree.Expr {
	if k == tree.KindFloat16 {
		return called("packHalf2x16", composed(tree.Vector(tree.KindFloat, 2), v, number(tree.Float, 0, v.Pos())))
	}
	return operation(tree.BitAnd, converted(v, tree.Uint), number32(1<<(8*k.Bytes())-1, v.Pos()))
}
