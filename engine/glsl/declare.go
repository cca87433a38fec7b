package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// module parses the whole text.
func (p *parser) module() {
	for !p.eof() && !p.failed {
		start := p.at
		p.operators = 0
		p.external()
		if p.recovering {
			p.unwind(start)
		}
	}
}

// unwind restores the parser's state after a syntax error at module level.
func (p *parser) unwind(start int) {
	left := p.scopes[2:]
	p.scopes = p.scopes[:2]
	p.fn, p.loops, p.switches, p.nesting = nil, 0, nil, 0
	p.skipped = true
	p.resync(start, true)
	endScopes(left, p.prev())
}

// external parses one declaration at module scope.
func (p *parser) external() {
	if p.is(";") {
		at := p.next().Pos
		if p.pre.Version < 460 {
			p.suspicious(at, ";", "remove the semicolon", "GLSL before 4.60 has no empty declaration; drivers take it")
		}
		return
	}
	if p.is("precision") {
		p.precision()
		return
	}
	q := p.qualifiers()
	switch {
	case q.words > 0 && p.is(";"):
		p.layoutDeclaration(q)
	case p.peek(1).Is("{") && !p.is("struct"):
		p.block(q)
	case q.words > 0 && !p.startsType() && p.isNameList():
		p.requalify(q)
	default:
		p.globalDeclaration(q)
	}
}

// precision parses "precision highp float;", which has no effect in desktop GLSL. In GLSL ES it may name a type of images.
func (p *parser) precision() {
	p.expect("precision")
	if !precisionWords[p.tok().Text] {
		p.syntax(p.pos(), "precision", "expected lowp, mediump or highp before %s", describe(p.tok()))
	}
	p.next()
	if IsOpaque(p.tok().Text) { // images, textures and samplers may have one
		p.next()
		p.expect(";")
		return
	}
	t := p.typeSpecifier()
	if t != brokenType && t != tree.Float && t != tree.Int {
		p.malformed(p.prev(), t.String(), "use int or float", "a default precision applies to int and float, not %s", t)
	}
	p.expect(";")
}

// isNameList reports whether "name;" or "name," follows: a declaration that only adds a qualifier.
func (p *parser) isNameList() bool {
	return p.tok().Kind == source.Ident && !isKeyword(p.tok().Text) && (p.peek(1).Is(";") || p.peek(1).Is(","))
}

// requalify parses "precise x, y;". Only precise may be added to an existing variable; it has no
// effect on values here, because no operation is ever contracted.
func (p *parser) requalify(q qualifiers) {
	if !outsideQualifiers[q.storage] && (!q.precise || q.words > 1) {
		p.malformed(q.pos, "qualifier", "write the type and the qualifier together", "only precise can be added to a declared variable")
	}
	for {
		name := p.ident("a variable")
		if s := p.lookup(name.Text); s == nil && !p.recovering {
			p.undeclared(name)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// globalDeclaration parses variables, a structure or a function at module scope.
func (p *parser) globalDeclaration(q qualifiers) {
	switch {
	case startsImages(p, q):
		declareImages(p, q)
		return
	case q.storage == "uniform" && samplerAhead(p):
		declareSamplers(p)
		return
	}
	pos := p.pos()
	base := p.typeSpecifier()
	if p.accept(";") {
		p.globalStorage(q, source.Token{Pos: pos})
		p.nameless(base, pos)
		return
	}
	emptyDeclarator(p)
	name := p.ident("a name")
	if p.is("(") {
		p.function(q, base, name)
		return
	}
	if base != brokenType || q.storage != "uniform" {
		p.globalStorage(q, name)
	}
	for !p.recovering {
		if q.storage == "uniform" {
			declareUniform(p, q, base, pos, name)
		} else {
			p.addGlobal(q, p.declarator(q, base, pos, name))
		}
		if !p.accept(",") {
			break
		}
		name = p.ident("a name")
	}
	p.expect(";")
}

// emptyDeclarator passes the comma in "int , a;": the grammar lets a list begin with a declaration of no name.
func emptyDeclarator(p *parser) { p.accept(",") }

// nameless checks a declaration that names no variable, as "struct S { … };" does.
func (p *parser) nameless(t *tree.Type, pos source.Pos) {
	if t.IsArray() {
		p.malformed(pos, t.String(), "give it a name", "this array has no name")
	}
}

// globalStorage checks the qualifiers of module-scope variables.
func (p *parser) globalStorage(q qualifiers, name source.Token) {
	if outsideQualifiers[q.storage] {
		return // reported; memory and layout qualifiers may well belong with it
	}
	switch q.storage {
	case "", "const", "shared":
	case "uniform":
		uniformLayout(p, q)
		return
	case "in", "out":
		p.outside(q.pos, q.storage, "communicate through std430 buffer blocks", "compute kernels have no variables that are %q", q.storage)
	case "buffer":
		p.malformed(q.pos, q.storage, "declare a buffer block around it", "%q must be a member of a buffer block", name.Text)
	case "inout":
		p.malformed(q.pos, q.storage, "remove it", "only parameters can be inout")
	}
	if q.storage == "shared" {
		q.memory &^= tree.Coherent | tree.Volatile | tree.Restrict // which compilers take there; all accesses are such here
	}
	if q.memory != 0 {
		p.malformed(q.pos, "memory qualifier", "write it on a buffer block or a member of one", "memory qualifiers apply to buffer blocks only")
	}
	for _, id := range q.layout {
		if id.name != "constant_id" || q.storage != "const" {
			p.malformed(q.pos, "layout", "remove it", "a variable of a compute kernel has no layout")
		}
	}
}

// uniformLayout checks the layout identifiers of a uniform outside blocks: its location does not matter here.
func uniformLayout(p *parser, q qualifiers) {
	for _, id := range q.layout {
		if id.name != "location" {
			p.outside(id.pos, id.name, "remove it", "the layout identifier %q is not available on uniforms outside blocks", id.name)
		}
	}
}

// addGlobal files one module-scope variable.
func (p *parser) addGlobal(q qualifiers, d tree.Declarator) {
	v := d.Var
	switch {
	case v == nil:
	case v.Kind == tree.VarShared:
		if d.Init != nil {
			p.malformed(v.Pos, v.Name, "assign it in main, by one invocation", "a shared variable cannot have an initializer")
		}
		v.ID = len(p.prog.Shared)
		p.prog.Shared = append(p.prog.Shared, v)
		p.checkSharedSize(v)
	case v.Value != nil:
		v.ID = len(p.prog.Constants)
		p.prog.Constants = append(p.prog.Constants, v)
	default:
		if v.Const && d.Init != nil && !isBroken(d.Init) && !isConstantExpr(d.Init) {
			p.malformed(d.Init.Pos(), v.Name, "remove const, or use a constant expression", "the initializer of a const at module scope must be constant")
		}
		v.ID = len(p.prog.Globals)
		p.prog.Globals = append(p.prog.Globals, d)
	}
}

func (p *parser) checkSharedSize(last *tree.Variable) {
	total := 0
	for _, v := range p.prog.Shared {
		total += v.Type.Held()
	}
	if total > maxSharedBytes {
		p.outside(last.Pos, "shared", "use a buffer", "the shared variables take %d bytes; every device offers %d", total, maxSharedBytes)
	}
}

// declarator parses what follows a variable's name and declares it.
func (p *parser) declarator(q qualifiers, base *tree.Type, pos source.Pos, name source.Token) tree.Declarator {
	t := p.applyDimensions(base, p.dimensions(), pos)
	var init tree.Expr
	if p.accept("=") {
		init = p.initializer(t, "the initializer of "+name.Text)
	}
	init = specialized(p, q, t, init)
	v := &tree.Variable{Name: name.Text, Type: p.variableType(t, init, name), Const: q.storage == "const",
		Kind: p.variableKind(q), Pos: name.Pos}
	if v.Const && init == nil && v.Type != brokenType {
		p.malformed(name.Pos, name.Text, "initialize it", "the const %q has no value", name.Text)
	}
	if init != nil && v.Const && v.Type != brokenType && !isBroken(init) {
		v.Value = constant(init)
	}
	if p.recovering || v.Type == brokenType || outsideQualifiers[q.storage] || v.Const && init != nil && isBroken(init) {
		p.declareBroken(name)
		return tree.Declarator{}
	}
	p.declareVariable(name, v)
	return tree.Declarator{Var: v, Init: init}
}

func (p *parser) variableKind(q qualifiers) tree.VarKind {
	switch {
	case !p.global():
		return tree.VarLocal
	case q.storage == "shared":
		return tree.VarShared
	default:
		return tree.VarGlobal
	}
}

// variableType checks the type of a variable; an unsized array takes its size from its
// initializer.
func (p *parser) variableType(t *tree.Type, init tree.Expr, name source.Token) *tree.Type {
	if hasUnsized(t) && init != nil {
		t = init.Type()
	}
	switch {
	case t == brokenType:
	case t == tree.Void:
		p.malformed(name.Pos, "void", "give it another type", "%q cannot be of type void", name.Text)
		return brokenType
	case hasUnsized(t):
		p.outside(name.Pos, "[]", "write the size", "the array %q has no size", name.Text)
		return brokenType
	case t.Held() > maxLocalBytes:
		p.outside(name.Pos, t.String(), "keep it in a buffer", "%q is larger than %d bytes", name.Text, maxLocalBytes)
		return brokenType
	}
	return t
}
