package filter

import (
	"slices"
	"strconv"
	"strings"
)

// Clause is one of the parts of a filter that must all hold.
type Clause struct {
	Text   string
	column int // that it is about and nothing else, or -1
	node   node
	values *values // when it lists values of the column
}

// values is what a clause says when it lists values of a column.
type values struct {
	only bool // the column has one of them; else it has none of them
	list []token
}

// Clauses is a filter in parts, for those who add and take away some.
type Clauses struct {
	fields []string
	list   []Clause
}

// Value is a value of a column, as rows have it.
type Value struct {
	Text   string
	Number uint64
}

// Split takes a filter apart. Errors are those of Parse.
func Split(text string, fields []string) (*Clauses, error) {
	whole, err := Parse(text, fields)
	if err != nil {
		return nil, err
	}
	c := &Clauses{fields: fields}
	p := &parser{lex: lexer{in: text}, fields: fields}
	if err := p.advance(); err != nil {
		return nil, err
	}
	for p.tok.kind != tokEnd {
		if p.keyword("and") {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		start := p.tok.at
		n, err := p.single(0)
		if err != nil {
			return nil, err
		}
		if p.keyword("or") { // which binds less than what stands beside it
			c.list = []Clause{newClause(strings.TrimSpace(text), whole.root)}
			return c, nil
		}
		c.list = append(c.list, newClause(strings.TrimSpace(text[start:p.tok.at]), n))
	}
	return c, nil
}

func newClause(text string, n node) Clause {
	c := Clause{Text: text, node: n, column: -1}
	if at, ok := columnOf(n); ok {
		c.column, c.values = at, valuesOf(n)
	}
	return c
}

// columnOf is the only column that an expression looks at.
func columnOf(n node) (column int, ok bool) {
	var a, b node
	switch n := n.(type) {
	case test:
		return n.column, true
	case not:
		return columnOf(n.of)
	case and:
		a, b = n.a, n.b
	case or:
		a, b = n.a, n.b
	default:
		return 0, false
	}
	x, ok := columnOf(a)
	y, same := columnOf(b)
	return x, ok && same && x == y
}

// valuesOf are the values that an expression about one column lists, or nil.
func valuesOf(n node) *values {
	switch n := n.(type) {
	case test:
		switch n.operator.text {
		case "=", "==":
			return &values{true, []token{n.value}}
		case "!=":
			return &values{false, []token{n.value}}
		}
	case not:
		if v := valuesOf(n.of); v != nil {
			return &values{!v.only, v.list}
		}
	case and:
		return union(n.a, n.b, false)
	case or:
		return union(n.a, n.b, true)
	}
	return nil
}

// union joins two lists: values of which the column has one are joined by "or", those of which it has none by "and".
func union(a, b node, only bool) *values {
	x, y := valuesOf(a), valuesOf(b)
	if x == nil || y == nil || x.only != only || y.only != only {
		return nil
	}
	return &values{only, slices.Concat(x.list, y.list)}
}

// String is the filter.
func (c *Clauses) String() string {
	var out []string
	for i := range c.list {
		text := c.list[i].Text
		if _, either := c.list[i].node.(or); either && len(c.list) > 1 && !enclosed(text) {
			text = enclose(text)
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// enclose puts a text into parentheses; a regular expression at its end would take the closing one for its own.
func enclose(text string) string {
	if out := "(" + text + ")"; enclosed(out) {
		return out
	}
	return "(" + text + " )"
}

// enclosed reports whether one pair of parentheses holds all of a text.
func enclosed(text string) bool {
	p := &parser{lex: lexer{in: text}}
	depth := 0
	for p.advance() == nil && p.tok.kind != tokEnd {
		switch p.tok.kind {
		case tokOpen:
			depth++
		case tokClose:
			depth--
		}
		if depth == 0 {
			return p.tok.at == len(text)-1
		}
	}
	return false
}

// Lists reports whether a clause about a column names the value, to show it or to hide it.
func (c *Clauses) Lists(column int, v Value) bool {
	return slices.ContainsFunc(c.list, func(x Clause) bool { return x.column == column && x.values != nil && x.values.has(v) })
}

// Hides reports whether rows with a value are hidden because of it alone.
func (c *Clauses) Hides(column int, v Value) bool {
	return slices.ContainsFunc(c.list, func(x Clause) bool { return x.hides(column, v) })
}

func (x *Clause) hides(column int, v Value) bool {
	return x.column == column && !x.node.match(valueRow{v}, column+1)
}

// Toggle is the filter that hides rows with a value that this one shows, or shows those that it hides.
func (c *Clauses) Toggle(column int, v Value) string {
	if c.Hides(column, v) {
		return c.show(column, v)
	}
	return c.hide(column, v)
}

// Only is the filter that shows rows with that value of the column only; of a filter that does so already, the one
// that shows rows with any.
func (c *Clauses) Only(column int, v Value) string {
	list := slices.DeleteFunc(slices.Clone(c.list), func(x Clause) bool { return x.column == column })
	if !c.saysOnly(column, v) {
		list = append(list, Clause{Text: c.term(column, v)})
	}
	return c.with(list)
}

// All is the filter without what it says about the column alone.
func (c *Clauses) All(column int) string {
	return c.with(slices.DeleteFunc(slices.Clone(c.list), func(x Clause) bool { return x.column == column }))
}

// saysOnly reports whether all that is said about a column is that it has the value.
func (c *Clauses) saysOnly(column int, v Value) bool {
	n, only := 0, false
	for i := range c.list {
		if x := &c.list[i]; x.column == column {
			n++
			only = x.values != nil && x.values.only && len(x.values.list) == 1 && x.values.has(v)
		}
	}
	return n == 1 && only
}

func (c *Clauses) with(list []Clause) string { return (&Clauses{c.fields, list}).String() }

// show takes away what hides a value, or adds the value to what is shown.
func (c *Clauses) show(column int, v Value) string {
	var list []Clause
	for _, x := range c.list {
		switch {
		case !x.hides(column, v):
		case x.values == nil:
			x = Clause{Text: "(" + x.Text + " or " + c.term(column, v) + ")"}
		case x.values.only:
			x.Text = c.write(column, &values{true, append(slices.Clone(x.values.list), v.token())})
		default:
			rest := x.values.without(v)
			if len(rest) == 0 {
				continue
			}
			x.Text = c.write(column, &values{false, rest})
		}
		list = append(list, x)
	}
	return c.with(list)
}

// hide takes a value away from those that are shown, or adds it to those that are not.
func (c *Clauses) hide(column int, v Value) string {
	list, done := []Clause{}, false
	for _, x := range c.list {
		if x.column == column && x.values != nil && x.values.only && x.values.has(v) {
			done = true
			rest := x.values.without(v)
			if len(rest) == 0 {
				continue
			}
			x.Text = c.write(column, &values{true, rest})
		}
		list = append(list, x)
	}
	if !done {
		list = append(list, Clause{Text: "!" + c.term(column, v)})
	}
	return c.with(list)
}

// write is the text of a clause that lists values.
func (c *Clauses) write(column int, v *values) string {
	sign, between := "", " or "
	if !v.only {
		sign, between = "!", " "
	}
	var parts []string
	for _, t := range v.list {
		parts = append(parts, sign+c.fields[column]+"="+t.written())
	}
	if text := strings.Join(parts, between); len(parts) == 1 || !v.only {
		return text
	}
	return "(" + strings.Join(parts, between) + ")"
}

func (c *Clauses) term(column int, v Value) string {
	return c.fields[column] + "=" + v.token().written()
}

func (v *values) has(x Value) bool { return len(v.without(x)) < len(v.list) }

func (v *values) without(x Value) []token {
	return slices.DeleteFunc(slices.Clone(v.list), func(t token) bool { return equality(t, true)(valueRow{x}, 0) })
}

// valueRow is a row of which every column has the value.
type valueRow struct{ v Value }

func (r valueRow) Text(int) []byte { return []byte(r.v.Text) }

func (r valueRow) Number(int) uint64 { return r.v.Number }

// plainValue is what a value is made of that needs no quotes.
const plainValue = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+."

// token is how a filter names the value.
func (v Value) token() token {
	switch {
	case v.Text != "" && strings.Trim(v.Text, plainValue) == "":
		return token{kind: tokWord, text: v.Text}
	case strings.Contains(v.Text, `"`):
		return token{kind: tokWord, text: strconv.FormatUint(v.Number, 10)}
	default:
		return token{kind: tokQuoted, text: v.Text}
	}
}

// written is the token as it is typed.
func (t token) written() string {
	if t.kind == tokQuoted {
		return `"` + t.text + `"`
	}
	return t.text
}
