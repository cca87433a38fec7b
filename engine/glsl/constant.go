package glsl

import (
	"slices"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/tree"
)

// constant returns the value of e when it is known: e is folded, or names a const array or
// structure.
func constant(e tree.Expr) *tree.Const {
	switch x := e.(type) {
	case *tree.Const:
		return x
	case *tree.VarRef:
		if x.Var.Value != nil {
			return &tree.Const{Node: x.Node, Bits: x.Var.Value.Bits}
		}
	}
	return nil
}

// constants returns the components of each expression, or false when one is not constant.
func constants(list ...tree.Expr) ([][]uint32, bool) {
	values := make([][]uint32, len(list))
	for i, e := range list {
		c := constant(e)
		if c == nil {
			return nil, false
		}
		values[i] = c.Bits
	}
	return values, true
}

// isConstantExpr reports whether GLSL calls e a constant expression (section 4.3.3): also when its
// value is not folded because fold does not know a built-in in it.
func isConstantExpr(e tree.Expr) bool {
	ok := true
	tree.Inspect(e, func(x tree.Expr) bool {
		switch x := x.(type) {
		case *tree.VarRef:
			ok = ok && x.Var.Const && x.Var.Kind == tree.VarGlobal
		case *tree.BuiltinCall:
			ok = ok && x.T != tree.Void && !hasOut(x.Args)
		case *tree.BufferRef, *tree.Call, *tree.Atomic, *tree.Assign, *tree.IncDec, *tree.Length, *tree.Comma:
			ok = false
		}
		return ok
	})
	return ok
}

func hasOut(args []tree.Arg) bool {
	for i := range args {
		if args[i].Mode != tree.ModeIn {
			return true
		}
	}
	return false
}

// foldBinary folds Binary nodes with constant operands; every other node is returned as it is.
func foldBinary(b *tree.Binary) tree.Expr {
	v, ok := constants(b.X, b.Y)
	if !ok {
		return b
	}
	if b.Op.IsEquality() {
		return &tree.Const{Node: b.Node, Bits: []uint32{foldEquality(b, v)}}
	}
	if withMatrix(b) {
		return foldMatrix(b, v)
	}
	return &tree.Const{Node: b.Node, Bits: fold.BinaryWords(b.Op, b.T.Kind, b.OperandKind(), b.Y.Type().Kind, v[0], v[1])}
}

// foldEquality compares whole values, structures and arrays too.
func foldEquality(b *tree.Binary, v [][]uint32) uint32 {
	all := uint32(1)
	at := 0
	eachComponent(b.X.Type(), func(k tree.Kind) {
		n := k.Words()
		if !fold.EqualWords(k, v[0][at:][:n], v[1][at:][:n]) {
			all = 0
		}
		at += n
	})
	if b.Op == tree.NotEqual {
		return all ^ 1
	}
	return all
}

// eachComponent calls f with the kind of each component of t, in the order of Const.Bits.
func eachComponent(t *tree.Type, f func(tree.Kind)) {
	switch t.Class {
	case tree.ClassStruct:
		for i := range t.Struct.Members {
			eachComponent(t.Struct.Members[i].Type, f)
		}
	case tree.ClassArray:
		for range t.Len {
			eachComponent(t.Elem, f)
		}
	default:
		for range t.Width {
			f(t.Kind)
		}
	}
}

func foldUnary(u *tree.Unary) tree.Expr {
	c := constant(u.X)
	if c == nil {
		return u
	}
	return &tree.Const{Node: u.Node, Bits: fold.UnaryWords(u.Op, u.T.ComponentKind(), c.Bits)}
}

func foldConvert(v *tree.Convert) tree.Expr {
	c := constant(v.X)
	if c == nil {
		return v
	}
	return &tree.Const{Node: v.Node, Bits: fold.ConvertWords(v.X.Type(), v.T, c.Bits)}
}

func foldSplat(s *tree.Splat) tree.Expr {
	c := constant(s.X)
	if c == nil {
		return s
	}
	return &tree.Const{Node: s.Node, Bits: slices.Repeat(c.Bits, s.T.Width)}
}

func foldSwizzle(s *tree.Swizzle) tree.Expr {
	c := constant(s.X)
	if c == nil {
		return s
	}
	n := s.T.Kind.Words()
	var bits []uint32
	for _, lane := range s.Lanes {
		bits = append(bits, c.Bits[int(lane)*n:][:n]...)
	}
	return &tree.Const{Node: s.Node, Bits: bits}
}

func foldCompose(x *tree.Compose) tree.Expr {
	v, ok := constants(x.Parts...)
	if !ok {
		return x
	}
	bits := make([]uint32, 0, x.T.Components())
	for _, part := range v {
		bits = append(bits, part...)
	}
	return &tree.Const{Node: x.Node, Bits: bits}
}

// foldIndex folds a constant index of a constant; the index is in range.
func foldIndex(x *tree.Index) tree.Expr {
	v, ok := constants(x.X, x.I)
	if !ok {
		return x
	}
	n := x.T.Components()
	start := int(v[1][0]) * n
	return &tree.Const{Node: x.Node, Bits: v[0][start : start+n]}
}

func foldBuiltin(c *tree.BuiltinCall) tree.Expr {
	values := make([][]uint32, len(c.Args))
	for i := range c.Args {
		v := constant(c.Args[i].X)
		if v == nil || c.Args[i].Mode != tree.ModeIn {
			return c
		}
		values[i] = v.Bits
	}
	bits, ok := fold.Builtin(c.Builtin, c.Signature, values)
	if !ok {
		return c
	}
	return &tree.Const{Node: c.Node, Bits: bits}
}
