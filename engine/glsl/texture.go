package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// sampleFunction says what a function that samples a texture takes behind its coordinates.
type sampleFunction struct {
	projected bool // the coordinates are divided by the last one
	level     bool // level of detail
	gradients bool // two derivatives of the coordinates
	offset    bool // in texels
	offsets   bool // four of them
	gather    bool // and perhaps a component
}

// sampleFunctions are the functions that sample textures. A compute kernel has no implicit derivatives, so texture reads the base
// level (GLSL 4.50 section 8.9).
var sampleFunctions = buildSampleFunctions()

func buildSampleFunctions() map[string]sampleFunction {
	m := map[string]sampleFunction{"textureGather": {gather: true}, "textureGatherOffset": {gather: true, offset: true}, "textureGatherOffsets": {gather: true, offsets: true}}
	for _, projected := range []string{"", "Proj"} {
		for _, level := range []string{"", "Lod", "Grad"} {
			for _, offset := range []string{"", "Offset"} {
				m["texture"+projected+level+offset] = sampleFunction{projected: projected != "", level: level == "Lod", gradients: level == "Grad", offset: offset != ""}
			}
		}
	}
	return m
}

// needsTextures reports whether a word of a kernel's text needs the own functions on textures.
func needsTextures(word string) bool {
	_, sample := sampleFunctions[word]
	return sample || word == "texelFetch" || word == "texelFetchOffset" || word == "textureSize"
}

// least and most are the numbers of arguments behind the texture.
func (f sampleFunction) least() int {
	n := 1
	if f.level {
		n++
	}
	if f.gradients {
		n += 2
	}
	if f.offset || f.offsets {
		n++
	}
	return n
}

// most has the component of a gather, or the reference that is an argument of its own.
func (f sampleFunction) most() int { return f.least() + 1 }

// sampleForms are the forms of textures that are sampled: the words of their coordinates, and the axes that are filtered.
var sampleForms = map[string]struct{ coordinates, axes int }{
	"1D": {1, 1}, "2D": {2, 2}, "3D": {3, 3}, "1DArray": {2, 1}, "2DArray": {3, 2}, "Cube": {3, 2}, "CubeArray": {4, 2}, "2DRect": {2, 2},
}

// The ways in which modes differ from those of the texture: each face of a cube is clamped to its edge, and
// coordinates of rectangles are in texels.
const (
	cubeModes  = 0x222
	texelModes = 1 << 31
)

// sample samples a texture: its call becomes one of the own functions.
func (c *imageCall) sample() tree.Expr {
	f, form := sampleFunctions[c.name.Text], c.b.Image.Form()
	shape, cube, compares := sampleForms[form], strings.HasPrefix(form, "Cube"), c.b.Image.Compares()
	if !c.fits(f, form) {
		return c.wrong("no function fits the call %s(%s, …)", c.name.Text, c.b.Image.Type)
	}
	if len(c.args) != f.least() && !f.gather && !(compares && form == "CubeArray") {
		return c.wrong("no function fits the call %s(%s, …) with %d arguments", c.name.Text, c.b.Image.Type, len(c.args)+1)
	}
	args := c.args
	next := func() tree.Expr {
		if len(args) == 0 {
			return c.wrong("%s lacks an argument", c.name.Text)
		}
		e := args[0]
		args = args[1:]
		return e
	}
	var at, reference tree.Expr
	if compares {
		at, reference = c.compared(next, f, form, shape.coordinates)
	} else {
		at = c.coordinates(next(), f, shape.coordinates)
	}
	var lod tree.Expr = &tree.Const{Node: c.node(tree.Float), Bits: []uint32{0}}
	if f.level {
		lod = c.p.coerce(next(), tree.Float, "the level")
	}
	var derivatives []tree.Expr // of a cube
	switch {
	case f.gradients && cube:
		for range 2 {
			derivatives = append(derivatives, c.p.coerce(next(), tree.Vector(tree.KindFloat, 3), "the derivative"))
		}
	case f.gradients:
		lod = c.gradient(next(), next(), shape.axes)
	}
	var offset tree.Expr = &tree.Const{Node: c.node(tree.Vector(tree.KindInt, 3)), Bits: make([]uint32, 3)}
	if f.offset {
		offset = c.padded(c.p.coerce(next(), tree.Vector(tree.KindInt, shape.axes), "the offset"), 3)
	}
	if f.offsets {
		offset = c.p.coerce(next(), tree.ArrayOf(tree.Vector(tree.KindInt, 2), 4), "the offsets")
	}
	if anyBroken(at, lod, offset) || anyBroken(derivatives...) || reference != nil && isBroken(reference) {
		return broken(c.name.Pos)
	}
	image := &imageArg{Node: c.node(opaqueTypes[kindPrefix[c.b.Image.Kind]+"sampler3D"]), image: &symbol{kind: symImage, buffer: c.b, access: c.access}}
	axes, modes := c.intConst(shape.axes), c.modes(form)
	if derivatives != nil {
		name := "vt_sampleGrad"
		if compares {
			name = "vt_shadowGrad"
		}
		return c.own(name+form, image, at, derivatives[0], derivatives[1], offset, axes, modes)
	}
	if compares && reference == nil {
		return c.own("vt_shadow"+form, image, at, lod, offset, axes, modes)
	}
	place := c.own("vt_place"+form, at, c.member(imageSize))
	if f.gather {
		name := "vt_gather"
		if f.offsets {
			name = "vt_gatherOffsets"
		}
		if compares {
			return c.own(name+"Shadow", image, reference, place, offset, axes, modes, c.intConst(0))
		}
		component := c.intConst(0)
		if len(args) > 0 {
			component = c.component(args[0])
		}
		return c.own(name, image, place, offset, axes, modes, component)
	}
	if compares {
		return truncate(c.own("vt_sampleShadow", image, reference, place, lod, offset, axes, modes), 1)
	}
	return c.own("vt_sample", image, place, lod, offset, axes, modes)
}

// fits reports whether GLSL has a function for the form of the texture.
func (c *imageCall) fits(f sampleFunction, form string) bool {
	shape, known := sampleForms[form]
	cube := strings.HasPrefix(form, "Cube")
	switch plain := form == "1D" || form == "2D" || form == "3D" || form == "2DRect"; {
	case !known, f.projected && !plain, cube && (f.offset || f.offsets), f.gather && shape.axes != 2, f.level && form == "2DRect":
		return false
	case c.b.Image.Compares():
		return form != "3D" && !(f.level && (cube || form == "2DArray")) && !(f.gradients && form == "CubeArray")
	}
	return true
}

// compared takes the coordinates and the reference of a texture that is compared: an argument of its own of a gather and of an array of cubes,
// otherwise a component behind the coordinates, which are at least two; reference is nil then.
func (c *imageCall) compared(next func() tree.Expr, f sampleFunction, form string, count int) (at, reference tree.Expr) {
	what := "the coordinates of " + c.name.Text
	if f.gather || form == "CubeArray" {
		at = c.p.coerce(next(), tree.Vector(tree.KindFloat, count), what)
		return at, c.p.coerce(next(), tree.Float, "the reference of "+c.name.Text)
	}
	width := max(count, 2) + 1
	if f.projected {
		width = 4
	}
	e := c.p.coerce(next(), tree.Vector(tree.KindFloat, width), what)
	if f.projected && !isBroken(e) {
		e = c.own("vt_divided3", e)
	}
	return e, nil
}

var kindPrefix = map[tree.Kind]string{tree.KindInt: "i", tree.KindUint: "u"}

// gradient is the level of detail for two derivatives.
func (c *imageCall) gradient(x, y tree.Expr, axes int) tree.Expr {
	t := tree.Vector(tree.KindFloat, axes)
	x, y = c.p.coerce(x, t, "the derivative"), c.p.coerce(y, t, "the derivative")
	if anyBroken(x, y) {
		return broken(c.name.Pos)
	}
	return c.own("vt_gradient", x, y, c.member(imageSize))
}

// coordinates checks the coordinates, and divides them if they are projected.
func (c *imageCall) coordinates(e tree.Expr, f sampleFunction, count int) tree.Expr {
	what := "the coordinates of " + c.name.Text
	if !f.projected {
		return c.p.coerce(e, tree.Vector(tree.KindFloat, count), what)
	}
	width := 4
	if e.Type().Width == count+1 {
		width = count + 1
	}
	e = c.p.coerce(e, tree.Vector(tree.KindFloat, width), what)
	if isBroken(e) {
		return e
	}
	return c.own([]string{1: "vt_divided1", 2: "vt_divided2", 3: "vt_divided3"}[count], e)
}

// component is the component that a gather takes: a constant.
func (c *imageCall) component(e tree.Expr) tree.Expr {
	k := constant(e)
	if k == nil || k.T.Width != 1 || !k.T.Kind.IsInteger() || k.Bits[0] > 3 {
		return c.wrong("the component of %s must be a constant from 0 to 3", c.name.Text)
	}
	return c.intConst(int(k.Bits[0]))
}

// modes are the wrap modes of the texture.
func (c *imageCall) modes(form string) tree.Expr {
	if strings.HasPrefix(form, "Cube") {
		return uintConst(cubeModes, c.name.Pos)
	}
	modes := &tree.Swizzle{Node: c.node(tree.Uint), X: c.member(textureSampling), Lanes: []uint8{1}}
	if form == "2DRect" {
		return c.p.binary(source.Token{Kind: source.Punct, Text: "|", Pos: c.name.Pos}, modes, uintConst(texelModes, c.name.Pos))
	}
	return modes
}
