package glsl

import (
	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// binary types "x op y" (GLSL 4.50 section 5.9).
func (p *parser) binary(op source.Token, x, y tree.Expr) tree.Expr {
	if anyBroken(x, y) {
		return broken(x.Pos())
	}
	if op.Text == "&&" || op.Text == "||" {
		return p.logical(op, x, y)
	}
	b := &tree.Binary{Op: binaryOps[op.Text], X: x, Y: y}
	b.T = typeBinary(b)
	b.At = x.Pos()
	if b.T == nil {
		p.badOperands(op, x, y)
		return broken(x.Pos())
	}
	p.warnZeroDivisor(b.Op, b.Y, op)
	return foldBinary(b)
}

// binaryOps maps the text of an operator, without the = of a compound assignment.
var binaryOps = func() map[string]tree.BinaryOp {
	m := map[string]tree.BinaryOp{}
	for op := tree.Add; op <= tree.LogicalXor; op++ {
		m[op.String()] = op
	}
	return m
}()

func (p *parser) badOperands(op source.Token, x, y tree.Expr) {
	p.malformed(op.Pos, "binary "+op.Text, "convert one operand explicitly, or use another operator",
		"the operator %s does not take %s and %s", op.Text, x.Type(), y.Type())
}

// logical types && and ||. With a constant left side only one operand counts.
func (p *parser) logical(op source.Token, x, y tree.Expr) tree.Expr {
	if x.Type() != tree.Bool || y.Type() != tree.Bool {
		p.badOperands(op, x, y)
		return broken(x.Pos())
	}
	node := tree.Node{T: tree.Bool, At: x.Pos()}
	l := &tree.Logical{Node: node, And: op.Text == "&&", X: x, Y: y}
	v, ok := constants(x, y)
	if !ok {
		return l
	}
	bit := v[0][0] | v[1][0]
	if l.And {
		bit = v[0][0] & v[1][0]
	}
	return &tree.Const{Node: node, Bits: []uint32{bit}}
}

// typeBinary converts the operands of b and returns its type, or nil when they do not fit.
func typeBinary(b *tree.Binary) *tree.Type {
	switch {
	case b.Op.IsShift():
		return typeShift(b)
	case b.Op.IsEquality():
		return typeEquality(b)
	case b.Op == tree.LogicalXor:
		if b.X.Type() == tree.Bool && b.Y.Type() == tree.Bool {
			return tree.Bool
		}
		return nil
	case withMatrix(b):
		return typeMatrixBinary(b)
	}
	var ok bool
	if b.X, b.Y, ok = unify(b.X, b.Y); !ok || !kindFits(b.Op, b.X.Type().Kind) {
		return nil
	}
	if b.Op.IsRelational() {
		if !b.X.Type().IsScalar() || !b.Y.Type().IsScalar() {
			return nil
		}
		return tree.Bool
	}
	if b.X, b.Y, ok = broadcast(b.X, b.Y); !ok {
		return nil
	}
	return b.X.Type()
}

// kindFits reports whether op works on components of kind k.
func kindFits(op tree.BinaryOp, k tree.Kind) bool {
	if op == tree.Mod || op.IsBitwise() {
		return k.IsInteger()
	}
	return k.IsNumeric()
}

// typeShift: both operands are integers of any signedness; a scalar is shifted by a scalar only.
func typeShift(b *tree.Binary) *tree.Type {
	tx, ty := b.X.Type(), b.Y.Type()
	if !tx.Kind.IsInteger() || !ty.Kind.IsInteger() || ty.Width > 1 && tx.Width != ty.Width {
		return nil
	}
	switch {
	case ty.Kind.Words() > 1: // only the low bits of an amount count
		b.Y = convertKind(b.Y, tree.KindUint, true)
	case ty.Kind.IsNarrow():
		b.Y = convertKind(b.Y, ty.Kind.Wide(), true)
	}
	b.Y = splat(b.Y, tx.Width)
	return tx
}

// typeEquality: any two values of one type, after conversion.
func typeEquality(b *tree.Binary) *tree.Type {
	if x, y, ok := unify(b.X, b.Y); ok {
		b.X, b.Y = x, y
	}
	t := b.X.Type()
	if !t.Equal(b.Y.Type()) || t.Class == tree.ClassVoid || t.Class == tree.ClassRuntimeArray {
		return nil
	}
	return tree.Bool
}

// warnZeroDivisor: an integer division by a constant zero is defined here but not in GLSL.
func (p *parser) warnZeroDivisor(op tree.BinaryOp, y tree.Expr, at source.Token) {
	c, ok := y.(*tree.Const)
	if !ok || op != tree.Div && op != tree.Mod || !c.T.Kind.IsInteger() {
		return
	}
	for _, v := range fold.Join(c.T.Kind, c.Bits) {
		if v == 0 {
			p.suspicious(at.Pos, "binary "+at.Text, "divide by something else", "integer division by zero is undefined in GLSL; here it gives 0")
			return
		}
	}
}

// unary types a prefix operator.
func (p *parser) unary(op source.Token, x tree.Expr) tree.Expr {
	if isBroken(x) {
		return x
	}
	if op.Text == "++" || op.Text == "--" {
		return p.incDec(op, x, true)
	}
	t := x.Type()
	u := &tree.Unary{Node: tree.Node{T: t, At: op.Pos}, X: x}
	ok := t.ComponentKind().IsNumeric()
	switch op.Text {
	case "-":
		u.Op = tree.Neg
	case "+":
		u.Op = tree.Plus
	case "!":
		u.Op, ok = tree.Not, t == tree.Bool
	case "~":
		u.Op, ok = tree.Complement, t.Kind.IsInteger()
	}
	if !ok {
		p.badOperand(op, t)
		return broken(op.Pos)
	}
	return foldUnary(u)
}

func (p *parser) badOperand(op source.Token, t *tree.Type) {
	fix := "convert the operand, or use another operator"
	if op.Text == "!" && t.Kind == tree.KindBool {
		fix = "use not(…) for vectors"
	}
	p.malformed(op.Pos, "unary "+op.Text, fix, "the operator %s does not take %s", op.Text, t)
}

// incDec types ++ and --; op is where the operator stands.
func (p *parser) incDec(op source.Token, x tree.Expr, prefix bool) tree.Expr {
	at := x.Pos()
	if prefix {
		at = op.Pos
	}
	if isBroken(x) {
		return x
	}
	if !x.Type().ComponentKind().IsNumeric() {
		p.badOperand(op, x.Type())
		return broken(at)
	}
	if !p.assignable(x, op.Pos, op.Text) {
		return broken(at)
	}
	return &tree.IncDec{Node: tree.Node{T: x.Type(), At: at}, Dec: op.Text == "--", Prefix: prefix, X: x}
}

// ternary types "c ? x : y".
func (p *parser) ternary(c, x, y tree.Expr) tree.Expr {
	c = p.condition(c, "the first operand of ?:")
	if anyBroken(c, x, y) {
		return broken(c.Pos())
	}
	if a, b, ok := unify(x, y); ok {
		x, y = a, b
	}
	t := x.Type()
	switch {
	case !t.Equal(y.Type()):
		p.malformed(y.Pos(), "?:", "convert one of them explicitly", "the two results of ?: have types %s and %s", t, y.Type())
		return broken(c.Pos())
	case t == tree.Void:
		p.outside(x.Pos(), "?:", "use if and else", "?: with operands that have no value is outside the kernel language")
		return broken(c.Pos())
	}
	if p.whole(x) {
		return broken(c.Pos())
	}
	node := tree.Node{T: t, At: c.Pos()}
	if v, ok := constants(c, x, y); ok {
		return &tree.Const{Node: node, Bits: v[2-v[0][0]]}
	}
	return &tree.Conditional{Node: node, Cond: c, Then: x, Else: y}
}
