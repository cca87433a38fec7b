package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// overload is a declared function, defined or not yet.
type overload struct {
	fn       *tree.Function
	params   []tree.Param
	defined  bool
	broken   bool       // its header was refused: calls of it are not checked
	calledAt source.Pos // first call
	at       int        // token at which it is declared

	// Of a function with images as parameters: their qualifiers, and the tokens of its definition.
	imageQualifiers []qualifiers
	from, body, to  int
}

// function parses a prototype or definition after its result type and name (GLSL 4.50 section 6).
func (p *parser) function(q qualifiers, result *tree.Type, name source.Token) {
	p.functionQualifiers(q)
	p.pushScope()
	from := p.at
	params := p.parameters()
	end := p.pos()
	o := p.declareFunction(result, name, params)
	p.names.declaredFunction(p, name, o)
	if !p.is("{") {
		p.popScope(end)
		p.expect(";")
		return
	}
	o.from, o.body = from, p.at
	p.define(o, params)
	o.to = p.at
}

func (p *parser) functionQualifiers(q qualifiers) {
	if q.storage != "" && !outsideQualifiers[q.storage] || len(q.layout) > 0 || q.memory != 0 {
		p.malformed(q.pos, "qualifier", "remove it", "a function result takes no such qualifier")
	}
}

// parameters parses "(type name, …)" and declares the names.
func (p *parser) parameters() []*tree.Variable {
	p.expect("(")
	if p.is("void") && p.peek(1).Is(")") {
		p.next()
	}
	var list []*tree.Variable
	p.noted.copying.qualifiers = nil
	for !p.is(")") && !p.eof() {
		v := p.parameter()
		v.ID = len(list)
		list = append(list, v)
		if !p.accept(",") {
			break
		}
		if p.is(")") {
			p.syntax(p.pos(), ",", "expected a parameter after the comma")
		}
	}
	p.expect(")")
	return list
}

func (p *parser) parameter() *tree.Variable {
	q := p.qualifiers()
	p.noted.copying.qualifiers = append(p.noted.copying.qualifiers, q)
	pos := p.pos()
	if im, ok := imageAhead(p); ok {
		return imageParameter(p, q, im)
	}
	if samplerAhead(p) {
		return samplerParameter(p, q)
	}
	t := p.typeSpecifier()
	name := source.Token{Pos: pos}
	if p.tok().Kind == source.Ident {
		name = p.ident("the name of a parameter")
	}
	t = p.applyDimensions(t, p.dimensions(), pos)
	v := &tree.Variable{Name: name.Text, Kind: tree.VarParam, Type: p.parameterType(t, pos), Pos: name.Pos}
	p.parameterQualifiers(q, v)
	p.declareVariable(name, v)
	return v
}

func (p *parser) parameterType(t *tree.Type, pos source.Pos) *tree.Type {
	switch {
	case t == brokenType:
	case t == tree.Void:
		p.malformed(pos, "void", "give the parameter a type, or write ()", "a parameter cannot be of type void")
		return brokenType
	case hasUnsized(t):
		p.malformed(pos, "[]", "write the size", "an array parameter needs a size")
		return brokenType
	case t.Held() > maxLocalBytes:
		p.outside(pos, t.String(), "keep the array in a buffer", "the parameter is larger than %d bytes", maxLocalBytes)
		return brokenType
	}
	return t
}

func (p *parser) parameterQualifiers(q qualifiers, v *tree.Variable) {
	switch q.storage {
	case "", "in":
		v.Const = q.constIn
	case "const":
		v.Const = true
	case "out":
		v.Mode = tree.ModeOut
	case "inout":
		v.Mode = tree.ModeInOut
	default:
		p.malformed(q.pos, q.storage, "use in, out, inout or const", "a parameter cannot be %q", q.storage)
	}
	if q.memory != 0 || len(q.layout) > 0 {
		p.malformed(q.pos, "qualifier", "remove it", "a parameter takes no memory or layout qualifier")
	}
}

// declareFunction enters a function into the module scope, or finds its earlier declaration.
func (p *parser) declareFunction(result *tree.Type, name source.Token, params []*tree.Variable) *overload {
	result = p.resultType(result, name)
	o := &overload{fn: &tree.Function{Name: name.Text, Result: result, Params: params, Pos: name.Pos}}
	o.broken, o.at = result == brokenType || p.recovering, p.at
	for _, v := range params {
		o.params = append(o.params, tree.Param{Name: v.Name, Type: v.Type, Mode: v.Mode})
		o.broken = o.broken || v.Type == brokenType
	}
	if hasImages(o.params) {
		o.imageQualifiers = p.noted.copying.qualifiers
	}
	p.checkBuiltinResult(o)
	module := p.scopes[1]
	s := module.names[name.Text]
	if s == nil || s.kind != symFunction {
		s = &symbol{kind: symFunction}
		p.declareIn(module, name, s)
	}
	for _, old := range s.overloads {
		if sameParams(old.params, o.params) {
			p.checkRedeclaration(old, o)
			return old
		}
	}
	s.overloads = append(s.overloads, o)
	p.functions = append(p.functions, o)
	return o
}

func (p *parser) resultType(t *tree.Type, name source.Token) *tree.Type {
	switch {
	case hasUnsized(t):
		p.malformed(name.Pos, "[]", "write the size", "an array result needs a size")
		return brokenType
	case t.Held() > maxLocalBytes:
		p.outside(name.Pos, t.String(), "keep the array in a buffer", "the result is larger than %d bytes", maxLocalBytes)
		return brokenType
	}
	return t
}

// checkBuiltinResult: a function may hide a built-in one, but with the same parameters only when
// the result is the same too.
func (p *parser) checkBuiltinResult(o *overload) {
	b := tree.LookupBuiltin(o.fn.Name)
	if b == nil || o.broken {
		return
	}
	for i := range b.Signatures {
		s := &b.Signatures[i]
		if sameParams(s.Params, o.params) && !s.Result.Equal(o.fn.Result) {
			p.malformed(o.fn.Pos, o.fn.Name, "return "+s.Result.String()+", or rename it", "%s differs from the built-in function in its result", o.fn.Signature())
		}
	}
}

func sameParams(a, b []tree.Param) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].Type.Equal(b[i].Type) || (a[i].Type == brokenType) != (b[i].Type == brokenType) {
			return false
		}
	}
	return true
}

// checkRedeclaration: the same parameters must come with the same result and passing modes.
func (p *parser) checkRedeclaration(old, now *overload) {
	if !old.fn.Result.Equal(now.fn.Result) {
		p.malformed(now.fn.Pos, now.fn.Name, "give both the same result type", "%s is declared with another result type at %s", now.fn.Signature(), old.fn.Pos)
	}
	for i := range now.params {
		if old.params[i].Mode != now.params[i].Mode || old.fn.Params[i].Const != now.fn.Params[i].Const {
			p.malformed(now.fn.Pos, now.fn.Name, "give both the same const, in, out and inout", "%s is declared with other parameter qualifiers at %s", now.fn.Signature(), old.fn.Pos)
			return
		}
	}
}

// define parses the body; parameters and body share one scope.
func (p *parser) define(o *overload, params []*tree.Variable) {
	if !p.recovering && o.defined {
		p.malformed(p.toks[p.at].Pos, o.fn.Name, "remove one of the two", "%s is defined twice", o.fn.Signature())
	}
	if len(p.scopes) != 3 {
		p.malformed(p.pos(), o.fn.Name, "move it out of the other function", "a function cannot be defined inside another")
	}
	o.fn.Params, o.defined = params, true
	p.fn, p.body = o, p.pos()
	o.fn.Body = p.blockBody()
	p.fn = nil
	o.fn.End = o.fn.Body.To
	p.names.ended(o, o.fn.End)
	p.popScope(o.fn.End)
	if o.broken {
		return
	}
	if hasImages(o.params) {
		p.noted.copying.place(o, len(p.prog.Functions))
	} else {
		p.prog.Functions = append(p.prog.Functions, o.fn)
	}
	p.checkReturns(o)
}

// checkReturns: a function with a result needs a return statement, and should reach one always.
func (p *parser) checkReturns(o *overload) {
	if o.fn.Result == tree.Void || !completes(o.fn.Body) && hasReturn(o.fn.Body) {
		return
	}
	if !hasReturn(o.fn.Body) {
		p.malformed(o.fn.Pos, o.fn.Name, "add a return", "%s has no return statement", o.fn.Signature())
		return
	}
	p.suspicious(o.fn.Pos, o.fn.Name, "add a return at the end", "%s can end without returning a value; it then yields zero", o.fn.Signature())
}

func hasReturn(body *tree.Block) bool {
	found := false
	tree.InspectStmts(body, func(s tree.Stmt) {
		_, is := s.(*tree.Return)
		found = found || is
	})
	return found
}
