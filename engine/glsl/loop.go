package glsl

import (
	"vyretop/engine/glsl/tree"
)

// forStatement: init, condition, step and body share one scope.
func (p *parser) forStatement() tree.Stmt {
	from := p.expect("for")
	p.pushScope()
	p.expect("(")
	s := &tree.For{Init: p.forInit()}
	if !p.is(";") {
		s.CondDecl, s.Cond = p.loopCondition("for")
	}
	p.expect(";")
	if !p.is(")") {
		s.Post = p.expression()
	}
	p.expect(")")
	s.Body = p.loopBody(p.sameScope)
	s.Span = p.span(from)
	p.popScope(s.To)
	return s
}

// forInit parses the first part of a for loop with its semicolon; it may be nothing.
func (p *parser) forInit() tree.Stmt {
	switch {
	case p.accept(";"):
		return nil
	case p.startsDeclaration():
		return p.localDeclaration()
	default:
		return p.exprStatement()
	}
}

// loopCondition parses a condition, which may declare one variable: "bool b = f()".
func (p *parser) loopCondition(loop string) (*tree.Declare, tree.Expr) {
	what := "the condition of " + loop
	if !p.startsDeclaration() {
		return nil, p.condition(p.expression(), what)
	}
	from := p.pos()
	q := p.qualifiers()
	p.localQualifiers(q)
	base := p.typeSpecifier()
	name := p.ident("the name of a variable")
	if !p.is("=") {
		p.syntax(p.pos(), "=", "a variable declared in a condition needs a value")
		return nil, broken(from)
	}
	d := p.declarator(q, base, from, name)
	if d.Var == nil {
		return nil, broken(from)
	}
	p.addLocal(d.Var)
	decl := &tree.Declare{Span: p.span(from), Vars: []tree.Declarator{d}}
	ref := &tree.VarRef{Node: tree.Node{T: d.Var.Type, At: name.Pos}, Var: d.Var}
	return decl, p.condition(ref, what)
}

func (p *parser) whileStatement() tree.Stmt {
	from := p.expect("while")
	p.pushScope()
	p.expect("(")
	s := &tree.While{}
	s.CondDecl, s.Cond = p.loopCondition("while")
	p.expect(")")
	s.Body = p.loopBody(p.sameScope)
	s.Span = p.span(from)
	p.popScope(s.To)
	return s
}

func (p *parser) doStatement() tree.Stmt {
	from := p.expect("do")
	s := &tree.DoWhile{Body: p.loopBody(p.scoped)}
	p.expect("while")
	p.expect("(")
	s.Cond = p.condition(p.expression(), "the condition of while")
	p.expect(")")
	p.expect(";")
	s.Span = p.span(from)
	return s
}

// loopBody parses a statement in which break and continue are allowed.
func (p *parser) loopBody(parse func() tree.Stmt) tree.Stmt {
	p.loops++
	s := parse()
	p.loops--
	return s
}

// switchState collects the labels of a switch.
type switchState struct {
	tag        tree.Kind
	seen       map[uint32]bool
	hasDefault bool
}

// switchStatement parses a switch (GLSL 4.50 section 6.2). An int and a uint label compare by their
// bits, which is what the implicit conversion to uint gives.
func (p *parser) switchStatement() tree.Stmt {
	from := p.expect("switch")
	p.expect("(")
	s := &tree.Switch{Tag: p.switchTag(p.expression())}
	p.expect(")")
	p.pushScope()
	p.switches = append(p.switches, switchState{tag: s.Tag.Type().Kind, seen: map[uint32]bool{}})
	p.expect("{")
	for !p.is("}") && !p.eof() {
		p.switchCase(s)
	}
	p.expect("}")
	if len(p.switches) > 0 {
		p.switches = p.switches[:len(p.switches)-1]
	}
	s.Span = p.span(from)
	p.popScope(s.To)
	return s
}

func (p *parser) switchTag(e tree.Expr) tree.Expr {
	e = promoted(e)
	if isBroken(e) || e.Type().IsScalar() && e.Type().Kind.IsInteger32() {
		return e
	}
	p.malformed(e.Pos(), "switch", "switch on an int or uint", "the value of a switch must be an int or uint, not %s", e.Type())
	return broken(e.Pos())
}

// switchCase parses a run of labels and the statements up to the next label.
func (p *parser) switchCase(s *tree.Switch) {
	from := p.pos()
	c := tree.Case{}
	if !p.is("case") && !p.is("default") {
		p.malformed(from, "switch", "put it after a label", "a statement in a switch must follow a label")
		p.statement()
		return
	}
	for p.is("case") || p.is("default") {
		p.label(&c)
	}
	for !p.is("case") && !p.is("default") && !p.is("}") && !p.eof() {
		c.Body = append(append(c.Body, marked(p)...), p.statement())
	}
	if len(c.Body) == 0 && !p.recovering {
		p.malformed(p.prev(), "case", "add break;", "the last label of a switch needs a statement after it")
	}
	c.Span = p.span(from)
	s.Cases = append(s.Cases, c)
}

// label parses "case constant:" or "default:".
func (p *parser) label(c *tree.Case) {
	state := &p.switches[len(p.switches)-1]
	t := p.next()
	if t.Text == "default" {
		if state.hasDefault {
			p.malformed(t.Pos, "default", "keep one", "the switch has two default labels")
		}
		state.hasDefault, c.Default = true, true
		p.expect(":")
		return
	}
	pos := p.pos()
	v, ok := p.constantInteger("a case label")
	p.expect(":")
	if !ok {
		return
	}
	bits := uint32(v)
	if state.seen[bits] {
		p.malformed(pos, "case", "remove one of the two", "the label %d occurs twice in the switch", v)
	}
	state.seen[bits] = true
	c.Values = append(c.Values, bits)
}

func (p *parser) strayLabel() tree.Stmt {
	t := p.next()
	p.syntax(t.Pos, t.Text, "the label %q is not directly inside a switch", t.Text)
	return &tree.Empty{Span: tree.Span{From: t.Pos, To: t.Pos}}
}

// completes reports whether control can reach the end of a statement, judged without looking at
// values: a loop that only a constant true keeps running counts as endless when it has no break.
func completes(s tree.Stmt) bool {
	switch x := s.(type) {
	case *tree.Return, *tree.Break, *tree.Continue:
		return false
	case *tree.Block:
		return listCompletes(x.List)
	case *tree.If:
		return x.Else == nil || completes(x.Then) || completes(x.Else)
	case *tree.For:
		return x.Cond != nil && !isTrue(x.Cond) || breaks(x.Body)
	case *tree.While:
		return !isTrue(x.Cond) || breaks(x.Body)
	case *tree.DoWhile:
		return !isTrue(x.Cond) && completes(x.Body) || breaks(x.Body)
	case *tree.Switch:
		return switchCompletes(x)
	default:
		return true
	}
}

func listCompletes(list []tree.Stmt) bool {
	for _, s := range list {
		if !completes(s) {
			return false
		}
	}
	return true
}

// switchCompletes: without default, with a break, or when the last case runs off its end.
func switchCompletes(s *tree.Switch) bool {
	hasDefault := false
	for i := range s.Cases {
		hasDefault = hasDefault || s.Cases[i].Default
		for _, b := range s.Cases[i].Body {
			if breaks(b) {
				return true
			}
		}
	}
	return !hasDefault || listCompletes(s.Cases[len(s.Cases)-1].Body)
}

func isTrue(e tree.Expr) bool {
	c := constant(e)
	return c != nil && c.T == tree.Bool && c.Bits[0] != 0
}

// breaks reports whether s has a break that leaves the loop or switch around s.
func breaks(s tree.Stmt) bool {
	switch s.(type) {
	case *tree.Break:
		return true
	case *tree.For, *tree.While, *tree.DoWhile, *tree.Switch:
		return false
	}
	for _, c := range tree.Children(s) {
		if breaks(c) {
			return true
		}
	}
	return false
}
