package tree

import "vyretop/engine/glsl/source"

// Stmt is a statement. The concrete types are the pointer types of this file and no others.
type Stmt interface {
	Pos() source.Pos
	End() source.Pos
	stmt()
}

// Span holds where a statement starts and where its last token is; it is embedded in each of them.
type Span struct{ From, To source.Pos }

// Pos is the start of the statement's first token.
func (s *Span) Pos() source.Pos { return s.From }

// End is the start of the statement's last token: its semicolon or closing brace.
func (s *Span) End() source.Pos { return s.To }

func (s *Span) stmt() {}

// Declarator is one declared variable and its initializer, nil when there is none: the variable
// then starts as all zero bits.
type Declarator struct {
	Var  *Variable
	Init Expr
}

// Declare declares local variables; the initializers run in order, each time it is reached.
type Declare struct {
	Span
	Vars []Declarator
}

// ExprStmt evaluates X for its effects.
type ExprStmt struct {
	Span
	X Expr
}

// Block is a compound statement.
type Block struct {
	Span
	List []Stmt
}

// If runs Then or Else; Else may be nil.
type If struct {
	Span
	Cond Expr
	Then Stmt
	Else Stmt
}

// For is a for loop. Init (a Declare or ExprStmt), Cond and Post may be nil; a nil Cond is true.
// CondDecl, when not nil, declares one bool each time around before Cond, which reads it.
type For struct {
	Span
	Init     Stmt
	CondDecl *Declare
	Cond     Expr
	Post     Expr
	Body     Stmt
}

// While is a while loop. CondDecl is as in For.
type While struct {
	Span
	CondDecl *Declare
	Cond     Expr
	Body     Stmt
}

// DoWhile runs Body, then repeats while Cond holds.
type DoWhile struct {
	Span
	Body Stmt
	Cond Expr
}

// Switch jumps to the first case that has the value of Tag, else to the default case if there is
// one. Control falls from one case into the next until a Break.
type Switch struct {
	Span
	Tag   Expr // int or uint
	Cases []Case
}

// Case is a maximal run of labels and the statements up to the next label. Values are bits of the
// tag's type; no value occurs twice in a Switch and at most one Case has Default.
type Case struct {
	Span
	Values  []uint32
	Default bool
	Body    []Stmt
}

// Break leaves the nearest loop or switch.
type Break struct{ Span }

// Continue starts the next round of the nearest loop.
type Continue struct{ Span }

// Return leaves the function; X is nil in a void function and else has the result's type. A
// function that ends without a Return yields all zero bits.
type Return struct {
	Span
	X Expr
}

// Empty does nothing: a lone semicolon, or breakpoint(CONDITION), at which only a debugger stops.
type Empty struct {
	Span
	Breakpoint string // text of the condition, "" for a semicolon
}
