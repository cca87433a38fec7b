package glsl

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// constructor parses "type(arguments)" (GLSL 4.50 section 5.4).
func (p *parser) constructor() tree.Expr {
	pos := p.pos()
	t := p.typeSpecifier()
	if !p.is("(") {
		p.syntax(p.pos(), t.String(), "expected \"(\" after the type, before %s", describe(p.tok()))
		return broken(pos)
	}
	args := p.arguments()
	if t == brokenType || p.recovering || anyBroken(args...) {
		return broken(pos)
	}
	return p.construct(t, args, pos)
}

// arguments parses "(a, b, …)", "()" or "(void)".
func (p *parser) arguments() []tree.Expr { return argumentList(p, p.assignment) }

func argumentList(p *parser, parse func() tree.Expr) []tree.Expr {
	p.expect("(")
	if p.is("void") && p.peek(1).Is(")") {
		p.next()
	}
	var list []tree.Expr
	for !p.is(")") && !p.eof() {
		list = append(list, parse())
		if !p.accept(",") {
			break
		}
		if p.is(")") {
			p.syntax(p.pos(), ",", "expected an argument after the comma")
		}
	}
	p.expect(")")
	return list
}

// construct types a constructor call.
func (p *parser) construct(t *tree.Type, args []tree.Expr, pos source.Pos) tree.Expr {
	if len(args) == 0 {
		p.malformed(pos, t.String(), "give it at least one argument", "the constructor %s() needs arguments", t)
		return broken(pos)
	}
	switch t.Class {
	case tree.ClassScalar, tree.ClassVector:
		return p.constructVector(t, args, pos)
	case tree.ClassArray:
		if t.Matrix {
			return constructMatrix(p, t, args, pos)
		}
		return p.constructAggregate(t, args, pos)
	case tree.ClassStruct, tree.ClassRuntimeArray:
		return p.constructAggregate(t, args, pos)
	default:
		p.malformed(pos, t.String(), "construct another type", "%s has no constructor", t)
		return broken(pos)
	}
}

// constructVector builds a scalar or vector: from one scalar (repeated), from one longer vector
// (cut off), or from components in order, the last argument cut off if need be.
func (p *parser) constructVector(t *tree.Type, args []tree.Expr, pos source.Pos) tree.Expr {
	if len(args) == 1 && args[0].Type().IsScalar() {
		return atPos(splat(convertKind(args[0], t.Kind, false), t.Width), pos)
	}
	return constructParts(p, t, args, pos)
}

// constructParts builds a vector or a matrix from components in order.
func constructParts(p *parser, t *tree.Type, args []tree.Expr, pos source.Pos) tree.Expr {
	var parts []tree.Expr
	need := count(t)
	for _, a := range args {
		if a.Type().Width == 0 && (!a.Type().Matrix || t.Matrix) {
			p.malformed(a.Pos(), t.String(), "give scalars and vectors", "the constructor %s does not take %s", t, a.Type())
			return broken(pos)
		}
		if need == 0 {
			p.malformed(a.Pos(), t.String(), "remove the extra argument", "the constructor %s has more arguments than it can use", t)
			return broken(pos)
		}
		list, ok := unfolded(a, need)
		if !ok {
			p.outside(a.Pos(), t.String(), "put the matrix in a variable first", "a part of a matrix that is the result of a call is outside the kernel language")
			return broken(pos)
		}
		for _, part := range list {
			part = convertPart(truncate(part, need), t.ComponentKind())
			need -= count(part.Type())
			parts = append(parts, part)
		}
	}
	if need > 0 {
		p.malformed(pos, t.String(), fmt.Sprintf("give %d components, or one scalar", count(t)), "the constructor %s lacks %d of its components", t, need)
		return broken(pos)
	}
	if len(parts) == 1 && parts[0].Type().Equal(t) {
		return atPos(parts[0], pos)
	}
	return foldCompose(&tree.Compose{Node: tree.Node{T: t, At: pos}, Parts: parts})
}

// count is the number of components of a scalar, a vector or a matrix.
func count(t *tree.Type) int {
	if t.Matrix {
		return t.Len * t.Elem.Width
	}
	return t.Width
}

// convertPart converts a part of a vector or matrix to the kind of its components.
func convertPart(e tree.Expr, k tree.Kind) tree.Expr {
	from := e.Type().ComponentKind()
	switch {
	case !e.Type().Matrix:
		return convertKind(e, k, false)
	case k == from:
		return e
	}
	whole := &tree.Compose{Node: tree.Node{T: tree.Vector(from, count(e.Type())), At: e.Pos()}, Parts: []tree.Expr{e}}
	return convertKind(foldCompose(whole), k, false)
}

// atPos gives a constant the position of the constructor around it.
func atPos(e tree.Expr, pos source.Pos) tree.Expr {
	if c, ok := e.(*tree.Const); ok {
		return &tree.Const{Node: tree.Node{T: c.T, At: pos}, Bits: c.Bits}
	}
	return e
}

// truncate keeps the first n components of a scalar or vector.
func truncate(e tree.Expr, n int) tree.Expr {
	t := e.Type()
	if t.Width <= n {
		return e
	}
	lanes := []uint8{0, 1, 2, 3}[:n]
	return foldSwizzle(&tree.Swizzle{Node: tree.Node{T: tree.Vector(t.Kind, n), At: e.Pos()}, X: e, Lanes: lanes})
}

// constructAggregate builds a structure or an array from one argument per member or element.
func (p *parser) constructAggregate(t *tree.Type, args []tree.Expr, pos source.Pos) tree.Expr {
	if hasUnsized(t) {
		if t = sizeFrom(p, t, args, pos); t == brokenType {
			return broken(pos)
		}
	}
	types := memberTypes(t)
	if types == nil || len(types) != len(args) {
		p.wrongCount(t, len(args), pos)
		return broken(pos)
	}
	parts := make([]tree.Expr, len(args))
	for i, a := range args {
		parts[i] = p.coerce(a, types[i], fmt.Sprintf("argument %d of %s", i+1, t))
	}
	if anyBroken(parts...) {
		return broken(pos)
	}
	return foldCompose(&tree.Compose{Node: tree.Node{T: t, At: pos}, Parts: parts})
}

func (p *parser) wrongCount(t *tree.Type, n int, pos source.Pos) {
	p.malformed(pos, t.String(), "give one value for each element or member", "%s takes %d value(s), not %d", t, partCount(t), n)
}

func partCount(t *tree.Type) int {
	switch t.Class {
	case tree.ClassStruct:
		return len(t.Struct.Members)
	case tree.ClassArray:
		return t.Len
	default:
		return t.Width
	}
}

// memberTypes lists the types of the members of a structure or the elements of an array. An array
// too long to be written out gives nil.
func memberTypes(t *tree.Type) []*tree.Type {
	n := partCount(t)
	if n > maxLocalBytes {
		return nil
	}
	types := make([]*tree.Type, n)
	for i := range types {
		if t.Class == tree.ClassStruct {
			types[i] = t.Struct.Members[i].Type
		} else {
			types[i] = t.Element()
		}
	}
	return types
}

// initializer parses "= value" or "= { list }" for a variable of type t, which may be an unsized
// array. what names the variable.
func (p *parser) initializer(t *tree.Type, what string) tree.Expr {
	if p.is("{") {
		return p.initializerList(t, what)
	}
	e := p.assignment()
	if hasUnsized(t) && sizedAs(t, e.Type()) {
		return e
	}
	return p.coerce(e, t, what)
}

// initializerList parses "{ value, … }" (section 4.1.12): one value for each part of t, without a
// comma at the end or with one.
func (p *parser) initializerList(t *tree.Type, what string) tree.Expr {
	defer p.leave()
	pos := p.expect("{")
	if !p.enter() {
		return broken(pos)
	}
	var parts []tree.Expr
	surplus := false
	for i := 0; !p.is("}") && !p.eof(); i++ {
		surplus = surplus || t.Class == tree.ClassStruct && i >= len(t.Struct.Members)
		parts = append(parts, p.initializer(partType(t, i), what))
		if !p.accept(",") {
			break
		}
	}
	p.expect("}")
	if surplus && !p.recovering {
		p.wrongCount(t, len(parts), pos)
		return broken(pos)
	}
	if t == brokenType || p.recovering || anyBroken(parts...) {
		return broken(pos)
	}
	if hasUnsized(t) {
		if t = sizeFrom(p, t, parts, pos); t == brokenType {
			return broken(pos)
		}
	}
	if t.IsScalar() {
		p.malformed(pos, "{", "write the value without braces", "%s is %s, which takes no list", what, t)
		return broken(pos)
	}
	if len(parts) != partCount(t) || len(parts) == 0 {
		p.wrongCount(t, len(parts), pos)
		return broken(pos)
	}
	return foldCompose(&tree.Compose{Node: tree.Node{T: t, At: pos}, Parts: parts})
}

// partType is the type of part i of an initializer list; beyond the end any type will do, because
// the count is reported.
func partType(t *tree.Type, i int) *tree.Type {
	switch t.Class {
	case tree.ClassStruct:
		if i < len(t.Struct.Members) {
			return t.Struct.Members[i].Type
		}
	case tree.ClassArray, tree.ClassRuntimeArray:
		return t.Elem
	case tree.ClassVector:
		return tree.Vector(t.Kind, 1)
	case tree.ClassScalar:
		return t
	}
	return brokenType
}
