package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// expression parses a comma expression (GLSL 4.50 section 5.1).
func (p *parser) expression() tree.Expr {
	x := p.assignment()
	for p.is(",") && p.countOperator() {
		p.next()
		y := p.assignment()
		if anyBroken(x, y) {
			x = broken(x.Pos())
			continue
		}
		x = &tree.Comma{Node: tree.Node{T: y.Type(), At: x.Pos()}, X: x, Y: y}
	}
	return x
}

// countOperator bounds the height of an expression; it returns false when the bound is reached.
func (p *parser) countOperator() bool {
	p.operators++
	if p.operators == maxOperators && !p.recovering {
		p.outside(p.pos(), "expression", "split it into several statements", "the statement has more than %d operators", maxOperators)
		p.recovering = true
	}
	return p.operators < maxOperators
}

var assignOps = wordSet("= += -= *= /= %= <<= >>= &= ^= |=")

func (p *parser) assignment() tree.Expr {
	defer p.leave()
	if !p.enter() {
		return broken(p.pos())
	}
	x := p.conditional()
	op := p.tok()
	if op.Kind != source.Punct || !assignOps[op.Text] {
		return x
	}
	p.next()
	return p.assign(op, x, p.assignment())
}

// conditional parses ?: and everything that binds tighter.
func (p *parser) conditional() tree.Expr {
	c := p.binaryLevel(1)
	if !p.is("?") {
		return c
	}
	p.next()
	x := p.nested(p.expression)
	p.expect(":")
	y := p.assignment()
	return p.ternary(c, x, y)
}

// nested runs a parsing function one level deeper.
func (p *parser) nested(parse func() tree.Expr) tree.Expr {
	defer p.leave()
	if !p.enter() {
		return broken(p.pos())
	}
	return parse()
}

// precedence of the binary operators: a larger one binds tighter.
var precedence = map[string]int{
	"||": 1, "^^": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7,
	"<": 8, ">": 8, "<=": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}

// binaryLevel parses left-associative operators of precedence level and above.
func (p *parser) binaryLevel(level int) tree.Expr {
	x := p.unaryExpr()
	for {
		op := p.tok()
		prec := precedence[op.Text]
		if op.Kind != source.Punct || prec < level || !p.countOperator() {
			return x
		}
		p.next()
		x = p.binary(op, x, p.binaryLevel(prec+1))
	}
}

var prefixOps = wordSet("++ -- + - ! ~")

func (p *parser) unaryExpr() tree.Expr {
	op := p.tok()
	if op.Kind != source.Punct || !prefixOps[op.Text] {
		return p.postfix(p.primary())
	}
	p.next()
	return p.unary(op, p.nested(p.unaryExpr))
}

// postfix parses what may follow a primary expression.
func (p *parser) postfix(x tree.Expr) tree.Expr {
	for {
		op := p.tok()
		switch {
		case op.Kind != source.Punct || !p.isPostfix(op.Text) || !p.countOperator():
			return x
		case op.Text == "[":
			p.next()
			i := p.nested(p.expression)
			p.expect("]")
			x = p.index(x, i)
		case op.Text == ".":
			p.next()
			x = p.selection(x)
		default:
			p.next()
			x = p.incDec(op, x, false)
		}
	}
}

func (p *parser) isPostfix(op string) bool { return op == "[" || op == "." || op == "++" || op == "--" }

// primary parses a literal, a name, a call, a constructor or a parenthesised expression.
func (p *parser) primary() tree.Expr {
	t := p.tok()
	switch t.Kind {
	case source.IntLit, source.UintLit, source.FloatLit:
		return p.literal(p.next())
	case source.Ident:
		return p.name()
	case source.Punct:
		if t.Text == "(" {
			if x := bracketedInstance(p); x != nil {
				return x
			}
			p.next()
			x := p.nested(p.expression)
			p.expect(")")
			return x
		}
	case source.String:
		p.syntax(t.Pos, "string", "a text in quotes may only be the first argument of debugf")
		return broken(t.Pos)
	}
	p.syntax(t.Pos, "expression", "expected an expression before %s", describe(t))
	return broken(t.Pos)
}

// bracketedInstance parses "(b).member", where b is the instance name of a block; nil when something else stands there.
func bracketedInstance(p *parser) tree.Expr {
	n := 0
	for p.peek(n).Is("(") {
		n++
	}
	name := p.peek(n)
	s := p.lookup(name.Text)
	if name.Kind != source.Ident || s == nil || s.kind != symInstance {
		return nil
	}
	for i := range n {
		if !p.peek(n + 1 + i).Is(")") {
			return nil
		}
	}
	p.at += 2*n + 1
	p.names.used(name, s)
	return p.instanceMember(s, name)
}

// name parses an expression that starts with an identifier or a type.
func (p *parser) name() tree.Expr {
	t := p.tok()
	switch {
	case t.Text == "true" || t.Text == "false":
		p.next()
		return boolean(t.Text == "true", t.Pos)
	case p.startsType() && t.Text != "struct":
		return p.constructor()
	case isKeyword(t.Text):
		p.syntax(t.Pos, t.Text, "the keyword %q cannot be part of an expression", t.Text)
		return broken(t.Pos)
	case t.Text == debugfName && p.peek(1).Is("("):
		return p.debugf()
	case p.peek(1).Is("("):
		return p.call()
	}
	p.next()
	return p.reference(t)
}

func boolean(b bool, at source.Pos) tree.Expr {
	bits := uint32(0)
	if b {
		bits = 1
	}
	return &tree.Const{Node: tree.Node{T: tree.Bool, At: at}, Bits: []uint32{bits}}
}

// reference resolves a plain name.
func (p *parser) reference(t source.Token) tree.Expr {
	s := p.lookup(t.Text)
	if s == nil {
		p.undeclared(t)
		return broken(t.Pos)
	}
	p.names.used(t, s)
	switch s.kind {
	case symVariable:
		return variableRef(s.variable, t.Pos)
	case symMember:
		return bufferRef(s.buffer, s.member, t.Pos)
	case symInstance:
		return p.instanceMember(s, t)
	case symLocalSize:
		return p.localSizeRef(t)
	case symBroken:
		return broken(t.Pos)
	case symSampler:
		p.outside(t.Pos, samplerWord, "combine it with a texture: sampler2D(t, s)", "the sampler %s is used in a way that is outside the kernel language", t.Text)
		return broken(t.Pos)
	case symImage:
		p.outside(t.Pos, s.buffer.Image.Type, "use it as the first argument of imageLoad, imageStore, texelFetch and their like", "%s %s is used in a way that is outside the kernel language", s.buffer.Image.Type, t.Text)
		return broken(t.Pos)
	}
	p.malformed(t.Pos, t.Text, "use a variable, or call the function", "%q does not name a value", t.Text)
	return broken(t.Pos)
}

func (p *parser) undeclared(t source.Token) {
	p.declareBroken(t) // each missing name is reported once a scope
	if t.Text == variableSizeInput {
		p.outside(t.Pos, t.Text, "write: #extension "+variableSizeExtension+" : require", "%s needs an extension", t.Text)
		return
	}
	if len(t.Text) > 3 && t.Text[:3] == "gl_" && subgroupNeeds(t.Text) == "" {
		p.outside(t.Pos, t.Text, "use the compute inputs, or pass the value in a buffer", "%s is outside the kernel language", t.Text)
		return
	}
	p.unknown(t.Pos, t.Text, "the name")
}

// variableRef refers to a variable; a constant scalar or vector is folded.
func variableRef(v *tree.Variable, at source.Pos) tree.Expr {
	node := tree.Node{T: v.Type, At: at}
	if v.Value != nil && v.Type.Width > 0 {
		return &tree.Const{Node: node, Bits: v.Value.Bits}
	}
	if v.Type == brokenType {
		return broken(at)
	}
	return &tree.VarRef{Node: node, Var: v}
}

func bufferRef(b *tree.Buffer, member int, at source.Pos) tree.Expr {
	return &tree.BufferRef{Node: tree.Node{T: b.Block.Members[member].Type, At: at}, Buffer: b, Member: member}
}

// instanceMember parses ".member" after the instance name of a block.
func (p *parser) instanceMember(s *symbol, t source.Token) tree.Expr {
	b := s.buffer
	if s.buffers != nil {
		if p.is(".") && p.peek(1).Text == "length" {
			p.at += 2
			p.expect("(")
			p.expect(")")
			return &tree.Const{Node: tree.Node{T: tree.Int, At: t.Pos}, Bits: []uint32{uint32(len(s.buffers))}}
		}
		if b = arrayedBlock(p, s, t); b == nil {
			return broken(t.Pos)
		}
	}
	selects := p.accept(".")
	if !selects && b.Image != nil {
		p.malformed(t.Pos, t.Text, inspectedFix(b.Image, t.Text), "the %s %q cannot be used as a whole", b.Image.Type, t.Text)
		return broken(t.Pos)
	}
	if !selects {
		p.malformed(t.Pos, t.Text, "select a member: "+t.Text+".…", "the block %q cannot be used as a whole", t.Text)
		return broken(t.Pos)
	}
	p.names.dot(p.prev(), dotted{block: b.Block})
	name := p.ident("a member of " + b.Name)
	i := b.Block.Find(name.Text)
	if i < 0 {
		p.malformed(name.Pos, name.Text, "use one of the members of "+b.Name, "the block %s has no member %q", b.Name, name.Text)
		return broken(t.Pos)
	}
	p.names.usedMember(name, b.Block, i)
	return bufferRef(b, i, t.Pos)
}

// arrayedBlock parses "[i]" after the instance name of an array of blocks; nil when it is not one of its blocks.
func arrayedBlock(p *parser, s *symbol, t source.Token) *tree.Buffer {
	p.expect("[")
	pos := p.pos()
	i := p.expression()
	p.expect("]")
	c := constant(i)
	switch {
	case p.recovering || isBroken(i):
		return nil
	case c == nil || !c.T.IsScalar() || !c.T.Kind.IsInteger32():
		p.outside(pos, "block array", "use a constant index, or one array in one block", "an array of blocks is indexed by constants only")
	case uint64(c.Bits[0]) >= uint64(len(s.buffers)):
		p.malformed(pos, "[]", "use an index within the bounds", "the index is out of range for %d blocks %s", len(s.buffers), t.Text)
	default:
		return s.buffers[c.Bits[0]]
	}
	skipSelection(p)
	return nil
}

// skipSelection passes ".member" behind what was reported.
func skipSelection(p *parser) {
	if p.accept(".") {
		p.next()
	}
}

func (p *parser) localSizeRef(t source.Token) tree.Expr {
	if !p.layout.sized {
		p.malformed(t.Pos, t.Text, "declare layout(local_size_x = N) in; before it", "%s is used before the workgroup size is declared", t.Text)
		return broken(t.Pos)
	}
	return &tree.Const{Node: tree.Node{T: uvec3, At: t.Pos}, Bits: p.layout.localSize[:]}
}
