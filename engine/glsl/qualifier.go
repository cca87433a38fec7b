package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// qualifiers is a parsed list of type qualifiers (GLSL 4.50 section 4.3 to 4.10).
type qualifiers struct {
	pos     source.Pos
	storage string // const, in, out, inout, buffer, shared, an outside word, or ""
	// constIn is set by "const in" of a parameter, where storage is then "in".
	constIn bool
	memory  tree.Memory
	precise bool
	words   int // qualifiers read
	layout  []layoutID
}

// layoutID is one identifier of a layout qualifier, with its constant value if it has one.
type layoutID struct {
	name  string
	value int64
	valid bool // value is a constant integer
	given bool // a value was written
	pos   source.Pos
}

// qualifiers parses as many qualifiers as follow.
func (p *parser) qualifiers() qualifiers {
	q := qualifiers{pos: p.pos()}
	for p.tok().Kind == source.Ident && isQualifier(p.tok().Text) && !p.recovering {
		q.words++
		t := p.next()
		switch m := memoryWords[t.Text]; {
		case t.Text == "layout":
			p.layoutIDs(&q)
		case t.Text == "precise":
			p.duplicate(q.precise, t)
			q.precise = true
		case m != 0:
			p.duplicate(q.memory.Has(m), t)
			q.memory |= m
		case precisionWords[t.Text]:
			// accepted and without effect, as in all of desktop GLSL
		default:
			p.storage(&q, t)
		}
	}
	return q
}

func (p *parser) duplicate(already bool, t source.Token) {
	if already {
		p.malformed(t.Pos, t.Text, "write it once", "the qualifier %q is repeated", t.Text)
	}
}

// storage notes a storage qualifier: at most one, but for "const in".
func (p *parser) storage(q *qualifiers, t source.Token) {
	if outsideQualifiers[t.Text] {
		p.outside(t.Pos, t.Text, "remove it; a compute kernel communicates through blocks and uniforms", "the qualifier %q is outside the kernel language", t.Text)
		q.storage = t.Text
		return
	}
	switch {
	case q.storage == "":
		q.storage = t.Text
	case outsideQualifiers[q.storage]:
		// reported already
	case q.storage == "const" && t.Text == "in", q.storage == "in" && t.Text == "const" && !q.constIn:
		q.storage, q.constIn = "in", true
	default:
		p.malformed(t.Pos, t.Text, "keep one storage qualifier", "%q cannot be combined with %q", t.Text, q.storage)
	}
}

// layoutIDs parses the parenthesised part of a layout qualifier.
func (p *parser) layoutIDs(q *qualifiers) {
	p.expect("(")
	for !p.recovering {
		t := p.next()
		if t.Kind != source.Ident {
			p.syntax(t.Pos, "layout", "expected a layout identifier before %s", describe(t))
			return
		}
		id := layoutID{name: strings.ToLower(t.Text), pos: t.Pos}
		if p.accept("=") {
			id.given = true
			id.value, id.valid = p.constantInteger("the value of " + t.Text)
		}
		if id.given && takesNoValue(id.name) {
			p.malformed(id.pos, t.Text, "write "+t.Text+" without a value", "%s takes no value", t.Text)
		}
		if !id.given && needsValue(id.name) {
			p.syntax(t.Pos, t.Text, "%s needs a value", t.Text)
		}
		q.layout = append(q.layout, id)
		if !p.accept(",") {
			break
		}
	}
	p.expect(")")
}

// needsValue reports whether a layout identifier of the subset must be followed by "= value".
func needsValue(name string) bool {
	return name == "binding" || name == "set" || name == "location" || name == "constant_id" || name == "offset" || name == "align" || strings.HasPrefix(name, "local_size_") && name != variableSize
}

// takesNoValue reports whether a layout identifier stands by itself.
func takesNoValue(name string) bool {
	return isPacking(name) || name == "row_major" || name == "column_major" || name == "push_constant" || name == variableSize
}

// constantInteger parses a conditional expression that must be a constant int or uint.
func (p *parser) constantInteger(what string) (int64, bool) {
	pos := p.pos()
	e := p.conditional()
	if p.recovering || isBroken(e) {
		return 0, false
	}
	e = promoted(e)
	if !e.Type().IsScalar() || !e.Type().Kind.IsInteger32() {
		p.malformed(pos, what, "use an integer constant", "%s must be a constant integer, not %s", what, e.Type())
		return 0, false
	}
	c := constant(e)
	if c == nil {
		p.notConstant(e, what)
		return 0, false
	}
	if c.T == tree.Int {
		return int64(int32(c.Bits[0])), true
	}
	return int64(c.Bits[0]), true
}

// notConstant reports an expression that should be constant. One that GLSL calls constant, but
// that is not folded, is outside the subset.
func (p *parser) notConstant(e tree.Expr, what string) {
	if isConstantExpr(e) {
		p.outside(e.Pos(), what, "write the number", "%s calls a function that is not evaluated here", what)
		return
	}
	p.malformed(e.Pos(), what, "use literals, const variables and operators on them", "%s must be a constant expression", what)
}
