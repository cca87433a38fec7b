package glsl

import (
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// imageCall is a call of a function on images.
type imageCall struct {
	p      *parser
	name   source.Token
	b      *tree.Buffer
	access tree.Memory // qualifiers of the image, or of the parameter
	args   []tree.Expr // behind the image, without the sample
	at     tree.Expr   // the sample, of an image that has several
}

// callImage parses a call of a function on images or textures, whose name was read.
func callImage(p *parser, name source.Token) tree.Expr {
	p.expect("(")
	s := image(p)
	c := &imageCall{p: p, name: name}
	for p.accept(",") {
		c.args = append(c.args, p.assignment())
	}
	p.expect(")")
	if p.recovering || s == nil || anyBroken(c.args...) {
		return broken(name.Pos)
	}
	c.b, c.access = s.buffer, s.access
	if _, sample := sampleFunctions[name.Text]; sample && isSeparate(opaqueType(s).String()) {
		return c.wrong("%s needs a sampler: write %s(%s, …)", name.Text, separateTextures[opaqueType(s).String()], s.buffer.Name)
	}
	if s.index != nil {
		return c.chosen(s)
	}
	return c.expr()
}

// imageFunction is a function on images or textures: the number of its arguments behind the image, and whether it takes textures.
type imageFunction struct {
	args, most int
	sampled    bool
	call       func(c *imageCall) tree.Expr
}

// imageFunctions are those that are covered, and what the own functions call.
var imageFunctions map[string]imageFunction

func init() {
	imageFunctions = map[string]imageFunction{
		"imageSize": {0, 0, false, (*imageCall).size}, "imageLoad": {1, 1, false, (*imageCall).load}, "imageStore": {2, 2, false, (*imageCall).store},
		"textureSize": {0, 1, true, (*imageCall).size}, "texelFetch": {1, 2, true, (*imageCall).load}, "texelFetchOffset": {3, 3, true, (*imageCall).load},
		"textureQueryLevels": {0, 0, true, (*imageCall).levels},
		"imageSamples":       {0, 0, false, (*imageCall).samples}, "textureSamples": {0, 0, true, (*imageCall).samples},
		"vt_load": {1, 1, true, (*imageCall).loadAt}, "vt_border": {0, 0, true, (*imageCall).border},
		"vt_size": {0, 0, true, func(c *imageCall) tree.Expr { return c.member(imageSize) }}, "vt_sampling": {0, 0, true, func(c *imageCall) tree.Expr { return c.member(textureSampling) }},
	}
	for _, op := range strings.Fields("Add Min Max And Or Xor Exchange") {
		imageFunctions["imageAtomic"+op] = imageFunction{2, 2, false, (*imageCall).atomic}
	}
	imageFunctions["imageAtomicCompSwap"] = imageFunction{3, 3, false, (*imageCall).atomic}
	for name, f := range sampleFunctions {
		imageFunctions[name] = imageFunction{f.least(), f.most(), true, (*imageCall).sample}
	}
}

func (c *imageCall) expr() tree.Expr {
	f := imageFunctions[c.name.Text]
	im := c.b.Image
	if im.Multisampled() && c.at == nil && (f.args > 0 && !f.sampled || c.name.Text == "texelFetch") {
		if len(c.args) < 2 {
			return c.wrong("%s of %s needs the number of a sample behind the texel", c.name.Text, im.Type)
		}
		c.at = c.p.coerce(c.args[1], tree.Int, "the sample")
		c.args = append(c.args[:1:1], c.args[2:]...)
		if isBroken(c.at) {
			return c.at
		}
	}
	if f.sampled != im.Sampled || len(c.args) < f.args || len(c.args) > f.most {
		return c.wrong("no function fits the call %s(%s, …) with %d arguments", c.name.Text, im.Type, len(c.args)+1)
	}
	return f.call(c)
}

func (c *imageCall) wrong(format string, args ...any) tree.Expr {
	c.p.malformed(c.name.Pos, c.name.Text, "give the image and the arguments that GLSL asks for", format, args...)
	return broken(c.name.Pos)
}

func (c *imageCall) node(t *tree.Type) tree.Node { return tree.Node{T: t, At: c.name.Pos} }

func (c *imageCall) member(i int) tree.Expr { return bufferRef(c.b, i, c.name.Pos) }

func (c *imageCall) texels() tree.Expr { return c.member(len(c.b.Block.Members) - 1) }

func (c *imageCall) intConst(n int) tree.Expr {
	return &tree.Const{Node: c.node(tree.Int), Bits: []uint32{uint32(n)}}
}

// own calls one of the own functions.
func (c *imageCall) own(name string, args ...tree.Expr) tree.Expr {
	if c.p.inspecting {
		return inspectedImage(c, name, args)
	}
	names := c.p.names
	c.p.names = nil // they are not in the text
	defer func() { c.p.names = names }()
	return c.p.callUser(source.Token{Text: name, Pos: c.name.Pos}, c.p.scopes[1].names[name].overloads, args)
}

// size is the size as ints; of an array of cubes the number of cubes.
func (c *imageCall) size() tree.Expr {
	im := c.b.Image
	size := convertKind(truncate(c.member(imageSize), im.SizeWidth), tree.KindInt, true)
	if len(c.args) == 1 && c.levelZero(c.args[0]) || len(c.args) == 0 || !im.Filtered() {
		if len(c.args) == 1 && !im.Filtered() {
			return c.wrong("%s takes no level for %s", c.name.Text, im.Type)
		}
	} else {
		level := c.p.coerce(c.args[0], tree.Int, "the level")
		if isBroken(level) {
			return level
		}
		size = truncate(c.own("vt_levelSize", c.member(imageSize), c.member(textureSampling), c.intConst(im.Axes()), level), im.SizeWidth)
	}
	if strings.HasSuffix(im.Type, "CubeArray") {
		sixth := &tree.Const{Node: c.node(tree.Vector(tree.KindInt, 3)), Bits: []uint32{1, 1, 6}}
		return c.p.binary(source.Token{Kind: source.Punct, Text: "/", Pos: c.name.Pos}, size, sixth)
	}
	return size
}

// levelZero reports whether a level is known to be the first one.
func (c *imageCall) levelZero(level tree.Expr) bool {
	k := constant(level)
	return k != nil && k.T.Width == 1 && k.T.Kind.IsInteger() && k.Bits[0] == 0
}

// levels is the number of levels of a texture.
func (c *imageCall) levels() tree.Expr {
	if !c.b.Image.Filtered() {
		return c.wrong("%s has no levels", c.b.Image.Type)
	}
	more := &tree.Swizzle{Node: c.node(tree.Uint), X: c.member(textureSampling), Lanes: []uint8{2}}
	return c.p.binary(source.Token{Kind: source.Punct, Text: "+", Pos: c.name.Pos}, convertKind(more, tree.KindInt, false), c.intConst(1))
}

// samples is the number of samples of a texel.
func (c *imageCall) samples() tree.Expr {
	if !c.b.Image.Multisampled() {
		return c.wrong("%s has no samples", c.b.Image.Type)
	}
	return convertKind(c.own("vt_samples", c.member(imageSize)), tree.KindInt, false)
}

// texel is the texel that the first argument names, or the one beyond the image that outside says.
func (c *imageCall) texel(outside uint32) tree.Expr {
	im := c.b.Image
	at := c.args[0]
	if !at.Type().Equal(tree.Vector(tree.KindInt, im.Coordinates)) {
		return c.wrong("a texel of %s is named by %s, not %s", im.Type, tree.Vector(tree.KindInt, im.Coordinates), at.Type())
	}
	if c.name.Text == "texelFetchOffset" {
		offset := c.p.coerce(c.args[2], tree.Vector(tree.KindInt, im.Axes()), "the offset")
		if isBroken(offset) {
			return offset
		}
		at = c.p.binary(source.Token{Kind: source.Punct, Text: "+", Pos: c.name.Pos}, at, c.padded(offset, im.Coordinates))
	}
	at = c.padded(convertKind(at, tree.KindUint, false), 3)
	if c.at != nil {
		return c.element(c.own("vt_sampleTexel", at, c.at, c.member(imageSize), uintConst(outside, c.name.Pos)))
	}
	if len(c.args) > 1 && im.Sampled && !c.levelZero(c.args[1]) {
		level := c.p.coerce(c.args[1], tree.Int, "the level")
		if isBroken(level) {
			return level
		}
		return c.element(c.own("vt_levelTexel", at, c.member(imageSize), c.member(textureSampling), c.intConst(im.Axes()), level))
	}
	return c.element(c.own("vt_texel", at, c.member(imageSize), uintConst(outside, c.name.Pos)))
}

// padded gives a vector of integers more components, which are 0.
func (c *imageCall) padded(e tree.Expr, width int) tree.Expr {
	n := width - e.Type().Width
	if n <= 0 || isBroken(e) {
		return e
	}
	kind := e.Type().Kind
	zero := &tree.Const{Node: c.node(tree.Vector(kind, n)), Bits: make([]uint32, n)}
	return foldCompose(&tree.Compose{Node: c.node(tree.Vector(kind, width)), Parts: []tree.Expr{e, zero}})
}

// element is the texel of a number.
func (c *imageCall) element(i tree.Expr) tree.Expr {
	texels := c.texels()
	return &tree.Index{Node: c.node(texels.Type().Elem), X: texels, I: i}
}

// The texels beyond an image.
const (
	stored = 0
	read   = 1
)

// load reads a texel; components that the format lacks are 0, and 1 for the last.
func (c *imageCall) load() tree.Expr {
	im := c.b.Image
	switch {
	case c.access.Has(tree.WriteOnly):
		return c.wrong("%q is writeonly and is read here", c.b.Name)
	case len(c.args) > 1 && !im.Filtered() || c.name.Text == "texelFetchOffset" && im.Multisampled():
		return c.wrong("%s takes no level for %s", c.name.Text, im.Type)
	}
	texel := c.texel(read)
	if isBroken(texel) {
		return texel
	}
	value, given := c.fromWords(texel), im.Components
	if im.Format == "r11f_g11f_b10f" {
		value, given = truncate(value, 3), 3
	}
	if given == 4 {
		return value
	}
	rest := make([]uint32, 4-given)
	if rest[len(rest)-1] = 1; im.Kind == tree.KindFloat {
		rest[len(rest)-1] = 0x3F800000
	}
	fill := &tree.Const{Node: c.node(tree.Vector(im.Kind, len(rest))), Bits: rest}
	return &tree.Compose{Node: c.node(tree.Vector(im.Kind, 4)), Parts: []tree.Expr{value, fill}}
}

// loadAt reads the texel of a number.
func (c *imageCall) loadAt() tree.Expr { return c.fromWords(c.element(c.args[0])) }

func (c *imageCall) border() tree.Expr { return c.fromWords(c.member(textureBorder)) }

// fromWords makes components of the words of a texel.
func (c *imageCall) fromWords(e tree.Expr) tree.Expr {
	if c.b.Image.Kind == tree.KindFloat {
		return c.builtin("uintBitsToFloat", e)
	}
	return convertKind(e, c.b.Image.Kind, false)
}

// toWords is the way back.
func (c *imageCall) toWords(e tree.Expr) tree.Expr {
	if c.b.Image.Kind == tree.KindFloat {
		return c.builtin("floatBitsToUint", e)
	}
	return e
}

// builtin calls a built-in function whose overload the arguments' types name.
func (c *imageCall) builtin(name string, args ...tree.Expr) tree.Expr {
	return c.p.callBuiltin(source.Token{Text: name, Pos: c.name.Pos}, tree.LookupBuiltin(name), args)
}

func (c *imageCall) store() tree.Expr {
	im := c.b.Image
	if c.access.Has(tree.ReadOnly) {
		return c.wrong("%q is readonly", c.b.Name)
	}
	texel := c.texel(stored)
	value := c.p.coerce(c.args[1], tree.Vector(im.Kind, 4), "the value stored")
	if anyBroken(texel, value) {
		return broken(c.name.Pos)
	}
	words := c.toWords(c.rounded(truncate(value, im.Components)))
	if isBroken(words) {
		return words
	}
	return &tree.Assign{Node: c.node(words.Type()), Target: texel, Value: words}
}

// rounded gives a value that is stored the precision of the format.
func (c *imageCall) rounded(e tree.Expr) tree.Expr {
	rounding, width := imageFormats[c.b.Image.Format].rounding, e.Type().Width
	switch rounding {
	case "":
		return e
	case "8", "16":
		bits := &tree.Const{Node: c.node(tree.Int), Bits: []uint32{map[string]uint32{"8": 8, "16": 16}[rounding]}}
		zero := &tree.Const{Node: c.node(tree.Int), Bits: []uint32{0}}
		return c.builtin("bitfieldExtract", e, zero, bits)
	case "10_2", "11_11_10":
		return c.own("vt_round"+rounding, e)
	}
	step := 2
	if strings.HasSuffix(rounding, "4x8") {
		step = 4
	}
	if width < step {
		return truncate(c.packed(rounding, c.padded(e, step)), width)
	}
	if width == step {
		return c.packed(rounding, e)
	}
	return c.inHalves(rounding, e)
}

// packed packs a vector and unpacks it.
func (c *imageCall) packed(rounding string, e tree.Expr) tree.Expr {
	return c.builtin("unpack"+rounding, c.builtin("pack"+rounding, e))
}

// inHalves rounds four components two by two; a value with side effects is evaluated once.
func (c *imageCall) inHalves(rounding string, e tree.Expr) tree.Expr {
	if !isPure(e) {
		return c.own("vt_round"+rounding, e)
	}
	half := func(lanes ...uint8) tree.Expr {
		return c.packed(rounding, foldSwizzle(&tree.Swizzle{Node: c.node(tree.Vector(tree.KindFloat, 2)), X: e, Lanes: lanes}))
	}
	return foldCompose(&tree.Compose{Node: c.node(e.Type()), Parts: []tree.Expr{half(0, 1), half(2, 3)}})
}

// atomic changes a texel of an image of one 32-bit component. Outside the image it changes what is stored there, and its value
// is not defined. Floats can be exchanged only.
func (c *imageCall) atomic() tree.Expr {
	im := c.b.Image
	exchange := c.name.Text == "imageAtomicExchange"
	switch {
	case im.Format == "r32i" || im.Format == "r32ui" || im.Format == "r32f" && exchange:
	case im.Format == "" && (im.Kind != tree.KindFloat || exchange): // of a parameter
	case im.Format == "r32f" && c.p.foreign:
		c.p.outside(c.name.Pos, c.name.Text, "use atomicAdd on a float in a buffer", "%s on floats is outside the kernel language", c.name.Text)
		return broken(c.name.Pos)
	default:
		return c.wrong("%s works on images of the formats r32i and r32ui, not %s", c.name.Text, im.Format)
	}
	if c.access&(tree.ReadOnly|tree.WriteOnly) != 0 {
		return c.wrong("%q is read and written here", c.b.Name)
	}
	texel := c.texel(stored)
	if isBroken(texel) {
		return texel
	}
	args := []tree.Expr{truncate(texel, 1)}
	for _, a := range c.args[1:] {
		value := c.p.coerce(a, tree.Vector(im.Kind, 1), "the value")
		if isBroken(value) {
			return value
		}
		args = append(args, c.toWords(value))
	}
	return c.fromWords(c.builtin("atomic"+strings.TrimPrefix(c.name.Text, "imageAtomic"), args...))
}
