package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// unsized is the length of a dimension written as [].
const unsized = -1

// dimension is one array dimension as written.
type dimension struct {
	n   int // or unsized
	pos source.Pos
}

// startsType reports whether the current token can begin a type.
func (p *parser) startsType() bool {
	t := p.tok()
	if t.Kind != source.Ident {
		return false
	}
	if typeWord(p, t.Text) != nil || outsideTypes[t.Text] || t.Text == "struct" || p.foreign && extensionTypes[t.Text] {
		return true
	}
	s := p.lookup(t.Text)
	return s != nil && s.kind == symType
}

// typeSpecifier parses a type: a name or a structure, and array dimensions. A type that was
// refused is brokenType.
func (p *parser) typeSpecifier() *tree.Type {
	pos := p.pos()
	base := p.typeName()
	dims := p.dimensions()
	return p.applyDimensions(base, dims, pos)
}

func (p *parser) typeName() *tree.Type {
	t := p.tok()
	switch {
	case t.Is("struct"):
		return p.structSpecifier()
	case !p.startsType():
		p.notAType(t)
		return brokenType
	}
	p.next()
	if b := typeWord(p, t.Text); b != nil {
		return b
	}
	if s := p.lookup(t.Text); s != nil {
		p.names.used(t, s)
		return s.typ
	}
	p.outside(t.Pos, t.Text, outsideTypeFix(t.Text), "the type %s is outside the kernel language", t.Text)
	return brokenType
}

func (p *parser) notAType(t source.Token) {
	if t.Kind == source.Ident && !isKeyword(t.Text) {
		p.unknown(t.Pos, t.Text, "the type")
		p.recovering = true
		return
	}
	p.syntax(t.Pos, "type", "expected a type before %s", describe(t))
}

func outsideTypeFix(name string) string {
	switch {
	case int64Words[name] != nil:
		return "enable an extension that has it: #extension " + int64Extensions[0] + " : require"
	case narrowWords[name] != nil:
		return "enable an extension that has it: #extension GL_EXT_shader_explicit_arithmetic_types : require"
	case name == "atomic_uint":
		return "use a uint in a buffer and atomicAdd"
	case IsOpaque(name):
		return "declare it at module scope, or use a buffer"
	default:
		return "use bool, int, uint, float, double, int64_t and uint64_t, and their vectors"
	}
}

// dimensions parses any number of [n] and [].
func (p *parser) dimensions() []dimension {
	var dims []dimension
	for p.is("[") {
		d := dimension{n: unsized, pos: p.next().Pos}
		if !p.is("]") {
			d.n = p.arraySize()
		}
		p.expect("]")
		dims = append(dims, d)
	}
	return dims
}

// arraySize parses the size of an array; a bad one counts as 1.
func (p *parser) arraySize() int {
	pos := p.pos()
	n, ok := p.constantInteger("the size of an array")
	switch {
	case !ok:
		return 1
	case n <= 0:
		p.malformed(pos, "array size", "use a size of 1 or more", "the size of an array must be positive, not %d", n)
		return 1
	case n > maxTypeBytes/4:
		p.outside(pos, "array size", "use a runtime array in a buffer", "an array of %d elements is too large", n)
		return 1
	}
	return int(n)
}

// applyDimensions makes the array type whose dimensions, outermost first, precede those of base.
// Dimensions without a size take it from the value that follows.
func (p *parser) applyDimensions(base *tree.Type, dims []dimension, pos source.Pos) *tree.Type {
	if len(dims) == 0 || base == brokenType {
		return base
	}
	if base == tree.Void {
		p.malformed(pos, "void", "use another element type", "an array cannot have elements of type void")
		return brokenType
	}
	if len(dims)+depth(base) > maxDimensions {
		p.outside(pos, "array", "use fewer dimensions", "an array has more than %d dimensions", maxDimensions)
		return brokenType
	}
	t := base
	for i := len(dims) - 1; i >= 0; i-- {
		switch d := dims[i]; {
		case d.n == unsized:
			t = tree.RuntimeArrayOf(t)
		case t.Stride() > maxTypeBytes/d.n:
			p.outside(d.pos, "array size", "use a runtime array in a buffer", "the array is larger than %d bytes", maxTypeBytes)
			return brokenType
		default:
			t = tree.ArrayOf(t, d.n)
		}
	}
	return t
}

// depth counts the dimensions of an array type.
func depth(t *tree.Type) int {
	n := 0
	for ; t.IsArray() && !t.Matrix; t = t.Elem {
		n++
	}
	return n
}

// structSpecifier parses "struct Name { members }" and declares the type.
func (p *parser) structSpecifier() *tree.Type {
	pos := p.expect("struct")
	name := source.Token{Pos: pos}
	if !p.is("{") {
		name = p.ident("the name of a structure")
	}
	members, laidOut := p.memberList(structMember)
	if p.recovering || !laidOut {
		p.declareBrokenType(name)
		return brokenType
	}
	t := tree.NewStruct(name.Text, members, name.Pos)
	p.prog.Structs = append(p.prog.Structs, t.Struct)
	p.declare(name, &symbol{kind: symType, typ: t})
	return t
}
