package filter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"vyretop/engine/fault"
	"vyretop/engine/units"
)

// maxDepth bounds the nesting of a filter, so that no input can exhaust the stack.
const maxDepth = 100

// Parse reads a filter for a table whose columns have the given field names. An empty filter
// matches every row. Errors are of type *SyntaxError.
func Parse(text string, fields []string) (*Expr, error) {
	p := &parser{lex: lexer{in: text}, fields: fields}
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind == tokEnd {
		return &Expr{}, nil
	}
	root, err := p.either(0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokEnd {
		return nil, p.unexpected("remove it")
	}
	return &Expr{root: root, columns: len(fields)}, nil
}

type parser struct {
	lex    lexer
	tok    token
	fields []string

	program int // instructions of the regular expressions so far
}

func (p *parser) advance() (err error) {
	p.tok, err = p.lex.next()
	return err
}

func (p *parser) unexpected(fix string) error {
	what := "the filter ends here"
	if p.tok.kind != tokEnd {
		what = fmt.Sprintf("%q is not expected here", p.tok.text)
	}
	return &SyntaxError{At: p.tok.at, Detail: what, Fix: fix}
}

func (p *parser) keyword(k string) bool { return p.tok.kind == tokWord && p.tok.text == k }

func (p *parser) either(depth int) (node, error) {
	a, err := p.both(depth)
	for err == nil && p.keyword("or") {
		var b node
		if err = p.advance(); err == nil {
			b, err = p.both(depth)
			a = or{a, b}
		}
	}
	return a, err
}

func (p *parser) both(depth int) (node, error) {
	a, err := p.single(depth)
	for err == nil && p.tok.kind != tokEnd && p.tok.kind != tokClose && !p.keyword("or") {
		if p.keyword("and") {
			if err = p.advance(); err != nil {
				break
			}
		}
		var b node
		b, err = p.single(depth)
		a = and{a, b}
	}
	return a, err
}

func (p *parser) single(depth int) (node, error) {
	if depth > maxDepth {
		return nil, p.unexpected("nest fewer parentheses")
	}
	t := p.tok
	switch t.kind {
	case tokNot:
		if err := p.advance(); err != nil {
			return nil, err
		}
		n, err := p.single(depth + 1)
		return not{n}, err
	case tokOpen:
		return p.group(depth)
	case tokWord, tokQuoted:
		if err := p.advance(); err != nil {
			return nil, err
		}
		if p.tok.kind == tokOperator && t.kind == tokWord {
			return p.comparison(t)
		}
		return word{[]byte(t.text), t.at}, nil
	default:
		return nil, p.unexpected("write a word, or a comparison such as state=paused")
	}
}

func (p *parser) group(depth int) (node, error) {
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.either(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tokClose {
		return nil, p.unexpected("close the parenthesis")
	}
	return n, p.advance()
}

func (p *parser) comparison(field token) (node, error) {
	column := slices.Index(p.fields, strings.ToLower(field.text))
	if column < 0 {
		return nil, &SyntaxError{At: field.at, Detail: fmt.Sprintf("unknown column %q", field.text), Fix: fault.Use(field.text, p.fields)}
	}
	op := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.tok.kind != tokWord && p.tok.kind != tokQuoted {
		return nil, p.unexpected("write the value to compare with")
	}
	holds, err := p.comparator(op.text, p.tok)
	if err != nil {
		return nil, err
	}
	return test{column, holds, op, p.tok}, p.advance()
}

// comparator makes the check for one operator and value.
func (p *parser) comparator(op string, value token) (func(Row, int) bool, error) {
	switch op {
	case "=", "==", "!=":
		return equality(value, op != "!="), nil
	case "~", "!~":
		re, err := p.regular(value)
		if err != nil {
			return nil, err
		}
		return func(r Row, c int) bool { return re.Match(r.Text(c)) == (op == "~") }, nil
	}
	n, err := units.Parse(value.text, 64)
	if err != nil {
		return nil, &SyntaxError{At: value.at, Detail: fmt.Sprintf("%q is not a number", value.text), Fix: "compare with a number such as 100 or 0x1f"}
	}
	return map[string]func(Row, int) bool{
		"<":  func(r Row, c int) bool { return r.Number(c) < n },
		"<=": func(r Row, c int) bool { return r.Number(c) <= n },
		">":  func(r Row, c int) bool { return r.Number(c) > n },
		">=": func(r Row, c int) bool { return r.Number(c) >= n },
	}[op], nil
}

func equality(value token, want bool) func(Row, int) bool {
	if isTaskID(value.text) { // texts of the log name tasks as #17
		value.text = strings.TrimPrefix(value.text, "#")
	}
	n, err := units.Parse(value.text, 64)
	numeric := err == nil && value.kind == tokWord
	text := []byte(value.text)
	return func(r Row, c int) bool {
		equal := bytes.EqualFold(r.Text(c), text) || (numeric && r.Number(c) == n)
		return equal == want
	}
}
