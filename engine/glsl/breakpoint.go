package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// breakpointName begins the statement breakpoint(CONDITION), unless the text declares something of that name.
const breakpointName = "breakpoint"

// breakpointStatement parses breakpoint(CONDITION); of which a backend runs nothing. So its condition may have no effects.
func breakpointStatement(p *parser) tree.Stmt {
	name := p.next()
	p.expect("(")
	from := p.at
	x := p.expression()
	text := joined(p.toks[from:p.at])
	p.expect(")")
	p.expect(";")
	switch {
	case p.recovering || anyBroken(x):
	case x.Type() != tree.Bool:
		p.malformed(x.Pos(), breakpointName, "write a comparison, such as i == 5u", "the condition of breakpoint is of type %v", x.Type())
	case !isPure(x):
		p.malformed(x.Pos(), breakpointName, "compute the value before, in a variable", "the condition of breakpoint assigns a value or calls a function of the kernel")
	default:
		return &tree.Empty{Span: p.span(name.Pos), Breakpoint: text}
	}
	return &tree.Empty{Span: p.span(name.Pos)}
}

// joined is the text of tokens, with a space between them but around brackets, points and commas.
func joined(list []source.Token) string {
	var b strings.Builder
	for i, t := range list {
		if i > 0 && !strings.Contains("()[].,", t.Text) && !strings.Contains("([.!~", list[i-1].Text) {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}
