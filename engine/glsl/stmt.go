package glsl

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// statementParsers are the statements that start with a keyword.
var statementParsers map[string]func(*parser) tree.Stmt

func init() {
	statementParsers = map[string]func(*parser) tree.Stmt{
		"{": (*parser).compoundStatement, ";": (*parser).empty, "if": (*parser).ifStatement, "for": (*parser).forStatement,
		"while": (*parser).whileStatement, "do": (*parser).doStatement, "switch": (*parser).switchStatement,
		"break": (*parser).breakStatement, "continue": (*parser).continueStatement,
		"return": (*parser).returnStatement, "discard": (*parser).discardStatement,
		"case": (*parser).strayLabel, "default": (*parser).strayLabel,
	}
}

// statement parses one statement (GLSL 4.50 section 6.2 to 6.4) and recovers from syntax errors in
// it.
func (p *parser) statement() tree.Stmt {
	start, scopes, loops, switches, nesting := p.at, len(p.scopes), p.loops, len(p.switches), p.nesting
	p.operators = 0
	var s tree.Stmt = &tree.Empty{}
	if p.enter() {
		s = p.anyStatement()
	}
	p.leave()
	if p.recovering {
		left := p.scopes[scopes:]
		p.scopes, p.loops, p.switches, p.nesting = p.scopes[:scopes], loops, p.switches[:switches], nesting
		p.resync(start, false)
		endScopes(left, p.prev())
	}
	return s
}

func (p *parser) anyStatement() tree.Stmt {
	if p.is("[") {
		skipAttributes(p)
	}
	t := p.tok()
	if t.Kind == source.Ident || t.Kind == source.Punct {
		if parse := statementParsers[t.Text]; parse != nil {
			return parse(p)
		}
	}
	if t.Text == breakpointName && p.peek(1).Is("(") && p.lookup(breakpointName) == nil {
		return breakpointStatement(p)
	}
	if p.startsDeclaration() {
		return p.localDeclaration()
	}
	return p.exprStatement()
}

// skipAttributes passes "[[unroll, …]]" before a statement: hints to a driver's compiler.
func skipAttributes(p *parser) {
	for p.is("[") && p.peek(1).Is("[") {
		if !enabled(p, attributesExtension) {
			p.outside(p.pos(), "[[", "write: #extension "+attributesExtension+" : enable", "attributes before statements need an extension")
		}
		p.at += 2
		for !p.is("]") && !p.eof() {
			p.next()
		}
		p.expect("]")
		p.expect("]")
	}
}

// span makes the span of a statement that began at from and whose last token was just consumed.
func (p *parser) span(from source.Pos) tree.Span { return tree.Span{From: from, To: p.prev()} }

func (p *parser) empty() tree.Stmt {
	from := p.expect(";")
	return &tree.Empty{Span: p.span(from)}
}

func (p *parser) exprStatement() tree.Stmt {
	from := p.pos()
	x := p.expression()
	p.expect(";")
	p.whole(x)
	return &tree.ExprStmt{Span: p.span(from), X: x}
}

// compoundStatement parses "{ … }" with a scope of its own.
func (p *parser) compoundStatement() tree.Stmt {
	p.pushScope()
	b := p.blockBody()
	p.popScope(b.To)
	return b
}

// blockBody parses "{ … }" in the current scope.
func (p *parser) blockBody() *tree.Block {
	from := p.expect("{")
	b := &tree.Block{}
	for !p.is("}") && !p.eof() {
		b.List = append(append(b.List, marked(p)...), p.statement())
	}
	if p.eof() && !p.recovering {
		p.openBody()
	}
	p.expect("}")
	b.Span = p.span(from)
	return b
}

// openBody reports that the text, or the file that the function being defined began in, ends inside its body.
// What follows belongs to other functions: to check it as this one's would name places that are right.
func (p *parser) openBody() {
	p.malformed(p.body, "{", `add the missing "}"`, "the body of %s is not closed", p.fn.fn.Name)
	p.recovering, p.failed = true, true
}

// nestedFunction reports a function declared in another: in another file it is rather that one which was not closed.
func (p *parser) nestedFunction(name source.Token) {
	if name.Pos.File != p.body.File {
		p.openBody()
		return
	}
	p.malformed(name.Pos, name.Text, fmt.Sprintf(`declare it before %s, or close that with "}" if it should have ended`, p.fn.fn.Name),
		"a function cannot be declared inside another: the body of %s, from %s on, is not closed", p.fn.fn.Name, p.body)
	p.recovering = true
}

// scoped parses a statement in a scope of its own.
func (p *parser) scoped() tree.Stmt {
	p.pushScope()
	s := withMarks(p)
	p.popScope(p.prev())
	return s
}

// sameScope parses the body of a loop, whose braces open no further scope (section 6.3).
func (p *parser) sameScope() tree.Stmt {
	if p.is("{") {
		return p.blockBody()
	}
	return withMarks(p)
}

func (p *parser) ifStatement() tree.Stmt {
	from := p.expect("if")
	p.expect("(")
	s := &tree.If{Cond: p.condition(p.expression(), "the condition of if")}
	p.expect(")")
	s.Then = p.scoped()
	if p.accept("else") {
		s.Else = p.scoped()
	}
	s.Span = p.span(from)
	return s
}

func (p *parser) breakStatement() tree.Stmt {
	from := p.expect("break")
	if p.loops == 0 && len(p.switches) == 0 {
		p.malformed(from, "break", "remove it, or return", "break is outside of loops and switches")
	}
	p.expect(";")
	return &tree.Break{Span: p.span(from)}
}

func (p *parser) continueStatement() tree.Stmt {
	from := p.expect("continue")
	if p.loops == 0 {
		p.malformed(from, "continue", "remove it, or return", "continue is outside of loops")
	}
	p.expect(";")
	return &tree.Continue{Span: p.span(from)}
}

func (p *parser) discardStatement() tree.Stmt {
	from := p.expect("discard")
	p.malformed(from, "discard", "use return", "discard exists in fragment shaders only")
	p.expect(";")
	return &tree.Empty{Span: p.span(from)}
}

func (p *parser) returnStatement() tree.Stmt {
	from := p.expect("return")
	s := &tree.Return{}
	result := p.fn.fn.Result
	switch {
	case p.is(";"):
		if result != tree.Void && result != brokenType {
			p.malformed(from, "return", "return a value", "%s must return a value of type %s", p.fn.fn.Signature(), result)
		}
	case result == tree.Void:
		p.malformed(p.pos(), "return", "return without a value", "%s returns no value", p.fn.fn.Signature())
		p.expression()
	default:
		s.X = p.coerce(p.expression(), result, "the value returned")
	}
	p.expect(";")
	s.Span = p.span(from)
	return s
}

// startsDeclaration tells a declaration from an expression that begins with a constructor.
func (p *parser) startsDeclaration() bool {
	t := p.tok()
	if t.Kind == source.Ident && (isQualifier(t.Text) || t.Text == "struct" || t.Text == "precision") {
		return true
	}
	if !p.startsType() {
		// "Name name" can only be a declaration with an unknown type
		return t.Kind == source.Ident && !isKeyword(t.Text) && p.lookup(t.Text) == nil && p.peek(1).Kind == source.Ident
	}
	n := 1
	for p.peek(n).Is("[") {
		n = p.afterBrackets(n)
	}
	return !p.peek(n).Is("(")
}

// afterBrackets gives the distance to the token after the brackets that open n tokens ahead.
func (p *parser) afterBrackets(n int) int {
	for depth := 0; p.peek(n).Kind != source.EOF; n++ {
		if p.peek(n).Is("[") {
			depth++
		}
		if p.peek(n).Is("]") {
			if depth--; depth == 0 {
				return n + 1
			}
		}
	}
	return n
}

// localDeclaration parses a declaration inside a function.
func (p *parser) localDeclaration() tree.Stmt {
	from := p.pos()
	if p.is("precision") {
		p.precision()
		return &tree.Empty{Span: p.span(from)}
	}
	q := p.qualifiers()
	if q.words > 0 && !p.startsType() && p.isNameList() {
		p.requalify(q)
		return &tree.Empty{Span: p.span(from)}
	}
	p.localQualifiers(q)
	pos := p.pos()
	base := p.typeSpecifier()
	if p.accept(";") {
		p.nameless(base, pos)
		return &tree.Empty{Span: p.span(from)}
	}
	s := &tree.Declare{}
	p.localVariables(s, q, base, pos)
	p.expect(";")
	s.Span = p.span(from)
	return s
}

func (p *parser) localVariables(s *tree.Declare, q qualifiers, base *tree.Type, pos source.Pos) {
	emptyDeclarator(p)
	for !p.recovering {
		name := p.ident("the name of a variable")
		if p.is("(") {
			p.nestedFunction(name)
			return
		}
		if d := p.declarator(q, base, pos, name); d.Var != nil {
			p.addLocal(d.Var)
			s.Vars = append(s.Vars, d)
		}
		if !p.accept(",") {
			return
		}
	}
}

// addLocal numbers a local variable.
func (p *parser) addLocal(v *tree.Variable) {
	fn := p.fn.fn
	v.ID = len(fn.Params) + len(fn.Locals)
	fn.Locals = append(fn.Locals, v)
}

func (p *parser) localQualifiers(q qualifiers) {
	if q.storage != "" && q.storage != "const" && !outsideQualifiers[q.storage] {
		p.malformed(q.pos, q.storage, "declare it at module scope", "a local variable cannot be %q", q.storage)
	}
	if q.memory != 0 || len(q.layout) > 0 {
		p.malformed(q.pos, "qualifier", "remove it", "a local variable takes no memory or layout qualifier")
	}
}
