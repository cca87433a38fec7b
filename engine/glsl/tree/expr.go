package tree

import "vyretop/engine/glsl/source"

// Expr is an expression. The concrete types are the pointer types of this file and no others.
type Expr interface {
	Type() *Type
	Pos() source.Pos
	expr()
}

// Node holds what every expression has; it is embedded in each of them.
type Node struct {
	T  *Type
	At source.Pos
}

// Type is the type of the expression's value.
func (n *Node) Type() *Type { return n.T }

// Pos is where the expression starts.
func (n *Node) Pos() source.Pos { return n.At }

func (n *Node) expr() {}

// Const is a literal or a folded constant expression. Bits holds T.Components() words in
// declaration order: a float as its IEEE bits, a bool as 0 or 1, and of 64 bits the less significant ones first.
type Const struct {
	Node
	Bits []uint32
}

// VarRef reads or names a variable. One whose Var.Value is set reads that constant, an array or a
// structure: references to constant scalars and vectors are Const nodes.
type VarRef struct {
	Node
	Var *Variable
}

// BufferRef names a member of a buffer block; it is always the root of a buffer access.
type BufferRef struct {
	Node
	Buffer *Buffer
	Member int // index in Buffer.Block.Members
}

// Field selects a structure member.
type Field struct {
	Node
	X      Expr
	Member int // index in X.Type().Struct.Members
}

// Swizzle selects 1 to 4 components of a vector: component i of the value is component Lanes[i] of
// X. As an l-value no lane occurs twice. One lane gives a scalar.
type Swizzle struct {
	Node
	X     Expr
	Lanes []uint8
}

// Index selects an element of an array or a component of a vector. I is int or uint and may be out
// of range at run time; a constant I is in range.
type Index struct {
	Node
	X, I Expr
}

// Length is the number of elements of a runtime array (type int). Lengths of sized arrays and of
// vectors are folded to Const.
type Length struct {
	Node
	X Expr
}

// Unary applies Neg, Plus, Not or Complement componentwise.
type Unary struct {
	Node
	Op UnaryOp
	X  Expr
}

// Binary applies Op. X and Y have equal types, with two exceptions: for shifts Y may differ from X
// in signedness. Arithmetic works componentwise; Less to GreaterEqual take scalars and give bool;
// Equal and NotEqual take any type and give one bool; of Add to Div one operand or both may be a matrix (MatrixBinary); LogicalXor takes bools. The operand kind is
// OperandKind().
type Binary struct {
	Node
	Op   BinaryOp
	X, Y Expr
}

// OperandKind is the component kind of the left operand, KindNone for an aggregate comparison.
func (b *Binary) OperandKind() Kind { return b.X.Type().Kind }

// Logical is a short-circuit && (And) or || (not And) of bools.
type Logical struct {
	Node
	And  bool
	X, Y Expr
}

// Conditional is ?:. Then and Else have the expression's type; only one is evaluated.
type Conditional struct {
	Node
	Cond, Then, Else Expr
}

// Assign stores into Target and yields the stored value. With OpNone the value has Target's type;
// otherwise it is the right operand of the compound operator, with types as in Binary, and the
// result has Target's type. Target is evaluated once, before Value.
type Assign struct {
	Node
	Op     BinaryOp // OpNone for =
	Target Expr
	Value  Expr
}

// IncDec is ++ or --, componentwise on a number, yielding the new value when Prefix and the old
// one otherwise.
type IncDec struct {
	Node
	Dec, Prefix bool
	X           Expr
}

// Comma evaluates X, then Y, and yields Y.
type Comma struct {
	Node
	X, Y Expr
}

// Arg is one argument of a call. In mode in X has the parameter's type. In mode inout too, and X is
// an l-value. In mode out X is an l-value; when its type differs from the parameter's, the value
// copied back is converted as Convert does. Arguments are evaluated left to right, and copied back
// left to right (GLSL leaves the order undefined; it is defined here).
type Arg struct {
	Mode Mode
	X    Expr
}

// Call calls a user's function.
type Call struct {
	Node
	Func *Function
	Args []Arg

	Inserted bool // the guard of a loop, which the source does not have
}

// BuiltinCall calls a built-in function that is not an atomic. Signature is the overload chosen.
type BuiltinCall struct {
	Node
	Builtin   *Builtin
	Signature *Signature
	Args      []Arg
}

// Atomic reads, changes and writes one number in a buffer or shared variable as one step, and
// yields the value before. Target is an l-value whose root is a BufferRef or a shared VarRef.
type Atomic struct {
	Node
	Builtin *Builtin
	Op      AtomicOp
	Target  Expr
	Compare Expr // of AtomicCompSwap; else nil
	Value   Expr
}

// Convert converts each component to the kind of T, keeping the width. To a matrix it converts a float, which is on the
// diagonal, or another matrix: what that does not have is that of the identity. Implicit conversions have
// Implicit set.
type Convert struct {
	Node
	X        Expr
	Implicit bool
}

// Splat repeats a scalar in every component of the vector type T; its kind is T's.
type Splat struct {
	Node
	X Expr
}

// Compose builds a value from parts. For a vector the parts are scalars and vectors of T's kind
// whose components, in order, are exactly T's; a part may be a matrix, which gives its components column by column. A matrix is
// built of its components too, or of its columns. For a structure or an array there is one part per
// member or element, of its type.
type Compose struct {
	Node
	Parts []Expr
}

// Root returns the VarRef or BufferRef that an l-value or access chain starts from, or nil when it
// starts from a computed value.
func Root(e Expr) Expr {
	for {
		switch e.(type) {
		case nil, *VarRef, *BufferRef:
			return e
		}
		e = Whole(e)
	}
}

// Whole returns the value of which e is a member, components or an element; nil where e is not a part of another one.
func Whole(e Expr) Expr {
	switch x := e.(type) {
	case *Field:
		return x.X
	case *Swizzle:
		return x.X
	case *Index:
		return x.X
	}
	return nil
}
