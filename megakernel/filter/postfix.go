package filter

// TermKind says what a term of an expression is.
type TermKind uint8

// The kinds. And, Or and Not are for the results of the one or two terms before them.
const (
	Word TermKind = iota // Value is a word
	Comparison
	And
	Or
	Not
)

// Term is one step of an expression in postfix order.
type Term struct {
	Kind     TermKind
	At       int    // byte offset of the value
	Column   int    // of a comparison
	Operator string // "=", "!=", "<", "<=", ">", ">=", "~" or "!~"
	Value    string
	Quoted   bool
}

// Postfix lists the expression in postfix order, for those who evaluate it elsewhere. It is empty where every
// row passes.
func (e *Expr) Postfix() []Term {
	if e == nil || e.root == nil {
		return nil
	}
	return postfix(nil, e.root)
}

func postfix(out []Term, n node) []Term {
	switch n := n.(type) {
	case not:
		return append(postfix(out, n.of), Term{Kind: Not})
	case and:
		return append(postfix(postfix(out, n.a), n.b), Term{Kind: And})
	case or:
		return append(postfix(postfix(out, n.a), n.b), Term{Kind: Or})
	case word:
		return append(out, Term{Kind: Word, At: n.at, Value: string(n.text)})
	case test:
		op := n.operator.text
		if op == "==" {
			op = "="
		}
		return append(out, Term{Kind: Comparison, At: n.value.at, Column: n.column, Operator: op, Value: n.value.text, Quoted: n.value.kind == tokQuoted})
	}
	return out
}
