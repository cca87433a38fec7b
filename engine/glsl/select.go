package glsl

import (
	"math"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// index types "x[i]" (GLSL 4.50 section 5.7).
func (p *parser) index(x, i tree.Expr) tree.Expr {
	if anyBroken(x, i) {
		return broken(x.Pos())
	}
	i = promoted(i)
	t := x.Type()
	if !t.IsArray() && !t.IsVector() {
		p.malformed(x.Pos(), "[]", "index an array or a vector", "a value of type %s cannot be indexed", t)
		return broken(x.Pos())
	}
	if !i.Type().IsScalar() || !i.Type().Kind.IsInteger32() {
		p.malformed(i.Pos(), "[]", "use an int or uint", "an index must be an int or uint, not %s", i.Type())
		return broken(x.Pos())
	}
	if c := constant(i); c != nil && !p.indexInRange(t, c) {
		return broken(x.Pos())
	}
	return foldIndex(ofVector(&tree.Index{Node: tree.Node{T: t.Element(), At: x.Pos()}, X: x, I: i}))
}

// ofVector is a component of a swizzle as one of the vector, so that it is a place as the swizzle is; Mesa (22.3) takes v.zw[i] for v[i] in
// memory (testdata/found of package conformance, 0072). One that repeats components cannot be written, and stays.
func ofVector(x *tree.Index) *tree.Index {
	of, ok := x.X.(*tree.Swizzle)
	if !ok || repeatedLane(of) {
		return x
	}
	bits := make([]uint32, len(of.Lanes))
	for i, lane := range of.Lanes {
		bits[i] = uint32(lane)
	}
	lanes := &tree.Const{Node: tree.Node{T: tree.Vector(tree.KindUint, len(bits)), At: x.I.Pos()}, Bits: bits}
	lane := foldIndex(&tree.Index{Node: tree.Node{T: tree.Uint, At: x.I.Pos()}, X: lanes, I: x.I})
	return ofVector(&tree.Index{Node: x.Node, X: of.X, I: lane})
}

// indexInRange checks a constant index. Of a runtime array only the lower bound is known.
func (p *parser) indexInRange(t *tree.Type, c *tree.Const) bool {
	i := int64(c.Bits[0])
	if c.T == tree.Int {
		i = int64(int32(c.Bits[0]))
	}
	bound := int64(max(t.Len, t.Width))
	if t.Class == tree.ClassRuntimeArray {
		bound = math.MaxInt32
	}
	if i >= 0 && i < bound {
		return true
	}
	p.malformed(c.Pos(), "[]", "use an index within the bounds", "the index %d is out of range for %s", i, t)
	return false
}

// selection parses what follows a dot: a member, a swizzle or length().
func (p *parser) selection(x tree.Expr) tree.Expr {
	p.names.dot(p.prev(), dotted{value: x.Type()})
	name := p.tok()
	if name.Kind != source.Ident {
		p.syntax(name.Pos, ".", "expected a member or components after the dot, before %s", describe(name))
		return broken(x.Pos())
	}
	p.next()
	if p.is("(") {
		return p.method(x, name)
	}
	if isBroken(x) {
		return x
	}
	switch x.Type().Class {
	case tree.ClassStruct:
		return p.field(x, name)
	case tree.ClassScalar, tree.ClassVector:
		return p.swizzle(x, name)
	}
	p.malformed(name.Pos, name.Text, "index the array first, or use .length()", "a value of type %s has no members", x.Type())
	return broken(x.Pos())
}

// method parses "()" after x.length; GLSL has no other method.
func (p *parser) method(x tree.Expr, name source.Token) tree.Expr {
	p.expect("(")
	p.accept("void")
	p.expect(")")
	if isBroken(x) {
		return x
	}
	t := x.Type()
	if name.Text != "length" || !t.IsArray() && !t.IsVector() {
		p.malformed(name.Pos, name.Text, "only arrays and vectors have the method length()", "%s has no method %q", t, name.Text)
		return broken(x.Pos())
	}
	node := tree.Node{T: tree.Int, At: x.Pos()}
	if t.Class == tree.ClassRuntimeArray {
		return &tree.Length{Node: node, X: x}
	}
	return &tree.Const{Node: node, Bits: []uint32{uint32(max(t.Len, t.Width))}}
}

// swizzleSets are the component names; one selection uses one set (section 5.5).
var swizzleSets = []string{"xyzw", "rgba", "stpq"}

// swizzle types a selection of components. On a scalar .x is the scalar itself.
func (p *parser) swizzle(x tree.Expr, name source.Token) tree.Expr {
	t := x.Type()
	lanes, ok := parseLanes(name.Text)
	if !ok {
		p.malformed(name.Pos, name.Text, "use 1 to 4 of xyzw, or of rgba, or of stpq", "%q does not select components", name.Text)
		return broken(x.Pos())
	}
	for _, lane := range lanes {
		if int(lane) >= t.Width {
			p.malformed(name.Pos, name.Text, "select among its "+countComponents(t.Width), "%s has no component for %q", t, name.Text)
			return broken(x.Pos())
		}
	}
	if t.IsScalar() {
		return splat(x, len(lanes))
	}
	return foldSwizzle(&tree.Swizzle{Node: tree.Node{T: tree.Vector(t.Kind, len(lanes)), At: x.Pos()}, X: x, Lanes: lanes})
}

func countComponents(n int) string {
	return []string{"", "one component", "2 components", "3 components", "4 components"}[n]
}

func parseLanes(text string) (lanes []uint8, ok bool) {
	if len(text) > 4 {
		return nil, false
	}
	for _, set := range swizzleSets {
		if strings.Trim(text, set) != "" {
			continue
		}
		for i := range len(text) {
			lanes = append(lanes, uint8(strings.IndexByte(set, text[i])))
		}
		return lanes, true
	}
	return nil, false
}
