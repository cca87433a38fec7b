// Package filter owns the little language that chooses rows of a table.
//
//	expression = both { ( "or" | "||" ) both }
//	both       = single { [ "and" | "&&" ] single }
//	single     = "!" single | "(" expression ")" | word | field operator value
//	operator   = "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "~" | "!~"
//	value      = word | '"' any text '"'
//
// A word alone matches a row that has it as a substring of any column, without regard to case.
// "=" compares whole text without regard to case, or numbers (decimal or 0x…) where the column has
// one; "<" and its kin compare numbers; "~" matches a regular expression of package regexp, which
// ends at the next space unless quoted.
package filter

import (
	"bytes"
	"fmt"

	"vyretop/engine/fault"
)

// ErrSyntax is matched by every error that Parse returns.
const ErrSyntax fault.Kind = "filter cannot be read"

// SyntaxError says where a filter cannot be read and why.
type SyntaxError struct {
	At     int // byte offset
	Detail string
	Fix    string
}

// Error implements error.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("filter, column %d: %s. Fix: %s", e.At+1, e.Detail, e.Fix)
}

// Unwrap makes errors.Is(err, ErrSyntax) true.
func (e *SyntaxError) Unwrap() error { return ErrSyntax }

// Row is a row as a filter sees it. Columns are numbered as in the fields given to Parse. A text is
// good until the next call of Text.
type Row interface {
	// Text is the value as text, which words, = and ~ look at.
	Text(column int) []byte
	// Number is the value of a column of numbers, which <, >, = and their like look at.
	Number(column int) uint64
}

// Partial is a Row of which some values may not be known. A comparison of one that is not is false,
// whatever the operator.
type Partial interface {
	Row
	// Known reports whether the row has a value in the column.
	Known(column int) bool
}

// Expr is a filter that was read. The zero value matches every row.
type Expr struct {
	root    node
	columns int
}

// Match reports whether the row passes.
func (e *Expr) Match(r Row) bool {
	return e == nil || e.root == nil || e.root.match(r, e.columns)
}

// Find is where in a text the first of the words stands that the filter looks for, in bytes; n is 0
// when none does. Words behind "!" are not looked for.
func (e *Expr) Find(text []byte) (at, n int) {
	if e == nil || e.root == nil {
		return 0, 0
	}
	return find(e.root, text)
}

func find(n node, text []byte) (at, size int) {
	switch n := n.(type) {
	case and:
		if at, size = find(n.a, text); size == 0 {
			at, size = find(n.b, text)
		}
	case or:
		if at, size = find(n.a, text); size == 0 {
			at, size = find(n.b, text)
		}
	case word:
		if at := indexFold(text, n.text); at >= 0 {
			return at, len(n.text)
		}
	}
	return at, size
}

// node is one operation of an expression.
type node interface {
	match(r Row, columns int) bool
}

type not struct{ of node }

func (n not) match(r Row, columns int) bool { return !n.of.match(r, columns) }

type and struct{ a, b node }

func (n and) match(r Row, columns int) bool { return n.a.match(r, columns) && n.b.match(r, columns) }

type or struct{ a, b node }

func (n or) match(r Row, columns int) bool { return n.a.match(r, columns) || n.b.match(r, columns) }

// word is a substring of any column, without regard to case.
type word struct {
	text []byte
	at   int
}

func (w word) match(r Row, columns int) bool {
	for i := range columns {
		if indexFold(r.Text(i), w.text) >= 0 {
			return true
		}
	}
	return false
}

// indexFold is where text has word in it, without regard to case, or -1. It does not allocate: a
// filter looks at every row of every frame.
func indexFold(text, word []byte) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if bytes.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// test is a comparison of one column.
type test struct {
	column          int
	holds           func(r Row, column int) bool
	operator, value token
}

func (t test) match(r Row, _ int) bool {
	if p, ok := r.(Partial); ok && !p.Known(t.column) {
		return false
	}
	return t.holds(r, t.column)
}
