package glsl

import (
	"slices"
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// imageSource declares what images are made of; its function finds the place of a texel. A buffer that stands for an image
// has its size, then its texels, then one that takes what is stored outside the image and one that is read there.
const imageSource = `uint vt_texel(uvec3 p, uvec4 size, uint outside) {
	return all(lessThan(p, size.xyz)) ? (p.z * size.y + p.y) * size.x + p.x : size.w + outside;
}
`

// ImageFile is the name of imageSource in positions.
const ImageFile = "vyretop/image.glsl"

// The members of the block of an image.
const (
	imageSize = iota
	imageTexels
)

// imageForms are the forms of images and textures: how many numbers name a texel, and how many give the size.
var imageForms = map[string]struct{ coordinates, size int }{
	"1D": {1, 1}, "2D": {2, 2}, "3D": {3, 3}, "1DArray": {2, 2}, "2DArray": {3, 3}, "Buffer": {1, 1}, "2DRect": {2, 2}, "Cube": {3, 2}, "CubeArray": {3, 3},
}

// imageFormats are the formats of images: the number of components, and how what is stored is rounded.
var imageFormats = map[string]struct {
	components int
	rounding   string
}{
	"rgba32f": {4, ""}, "rg32f": {2, ""}, "r32f": {1, ""}, "rgba16f": {4, "Half2x16"}, "rg16f": {2, "Half2x16"}, "r16f": {1, "Half2x16"},
	"rgba8": {4, "Unorm4x8"}, "rg8": {2, "Unorm4x8"}, "r8": {1, "Unorm4x8"}, "rgba16": {4, "Unorm2x16"}, "rg16": {2, "Unorm2x16"}, "r16": {1, "Unorm2x16"},
	"rgba8_snorm": {4, "Snorm4x8"}, "rg8_snorm": {2, "Snorm4x8"}, "r8_snorm": {1, "Snorm4x8"},
	"rgba16_snorm": {4, "Snorm2x16"}, "rg16_snorm": {2, "Snorm2x16"}, "r16_snorm": {1, "Snorm2x16"},
	"rgba32i": {4, ""}, "rg32i": {2, ""}, "r32i": {1, ""}, "rgba32ui": {4, ""}, "rg32ui": {2, ""}, "r32ui": {1, ""},
	"rgba16i": {4, "16"}, "rg16i": {2, "16"}, "r16i": {1, "16"}, "rgba8i": {4, "8"}, "rg8i": {2, "8"}, "r8i": {1, "8"},
	"rgba16ui": {4, "16"}, "rg16ui": {2, "16"}, "r16ui": {1, "16"}, "rgba8ui": {4, "8"}, "rg8ui": {2, "8"}, "r8ui": {1, "8"},
}

// imageType takes the name of a type of images or textures apart.
func imageType(word string) (im tree.Image, ok bool) {
	im.Kind = tree.KindFloat
	rest := word
	switch {
	case strings.HasPrefix(word, "ii"), strings.HasPrefix(word, "is"):
		im.Kind, rest = tree.KindInt, word[1:]
	case word[0] == 'u' && outsideTypes[word]:
		im.Kind, rest = tree.KindUint, word[1:]
	}
	form, sampled := strings.CutPrefix(rest, "sampler")
	if !sampled {
		form = strings.TrimPrefix(rest, "image")
	}
	f, known := imageForms[form]
	im.Type, im.Sampled, im.Coordinates, im.SizeWidth = word, sampled, f.coordinates, f.size
	return im, known && outsideTypes[word] && rest != form
}

// withImages puts imageSource before the tokens of a text that has images.
func withImages(toks []source.Token) []source.Token {
	named := func(t source.Token) bool { return t.Kind == source.Ident && IsOpaque(t.Text) }
	if !slices.ContainsFunc(toks, named) {
		return toks
	}
	pre, _ := preprocess.Run(&source.File{Name: ImageFile, Text: imageSource}, preprocess.Options{})
	return slices.Concat(pre.Tokens[:len(pre.Tokens)-1], toks)
}

// startsImages reports whether the uniforms declared next are images or textures that are covered.
func startsImages(p *parser, q qualifiers) bool {
	t := p.tok()
	if q.storage != "uniform" || t.Kind != source.Ident || !IsOpaque(t.Text) {
		return false
	}
	_, ok := imageType(t.Text)
	return ok
}

// declareImages parses "image2D a, b;".
func declareImages(p *parser, q qualifiers) {
	word := p.next()
	im, _ := imageType(word.Text)
	good := imageLayout(p, q, &im)
	for !p.recovering {
		name := p.ident("the name of an image")
		if p.is("[") {
			p.outside(p.pos(), word.Text, "declare one image each", "arrays of images are outside the kernel language")
			p.dimensions()
			good = false
		}
		if good {
			declareImage(p, q, name, im)
		} else {
			p.declareBroken(name)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(";")
}

// imageLayout reads the layout of an image: its unit and its format.
func imageLayout(p *parser, q qualifiers, im *tree.Image) bool {
	im.Unit, im.Components, im.Format = freeBinding, 4, map[tree.Kind]string{tree.KindFloat: "rgba32f", tree.KindInt: "rgba32i", tree.KindUint: "rgba32ui"}[im.Kind]
	given := im.Sampled || q.memory.Has(tree.WriteOnly)
	for _, id := range q.layout {
		f, format := imageFormats[id.name]
		switch {
		case id.name == "binding":
			n, ok := p.binding(id)
			if im.Unit = n; !ok {
				return false
			}
		case id.name == "set" || id.name == "location":
		case format && !im.Sampled && imageKind(id.name) == im.Kind:
			im.Format, im.Components, given = id.name, f.components, true
		default:
			p.outside(id.pos, id.name, "use a format of docs/kernel-language.md that fits the type", "the layout identifier %q is not available on %s", id.name, im.Type)
			return false
		}
	}
	if !given {
		p.malformed(q.pos, im.Type, "add a format such as rgba8 or r32ui, or writeonly", "an image that is read needs a format")
	}
	return given
}

// imageKind is the kind of the components of a format.
func imageKind(format string) tree.Kind {
	switch {
	case strings.HasSuffix(format, "ui"):
		return tree.KindUint
	case strings.HasSuffix(format, "i"):
		return tree.KindInt
	}
	return tree.KindFloat
}

// declareImage makes the buffer that stands for an image.
func declareImage(p *parser, q qualifiers, name source.Token, im tree.Image) {
	memory := q.memory &^ (tree.WriteOnly | tree.ReadOnly)
	im.Access = q.memory & (tree.WriteOnly | tree.ReadOnly)
	if im.Sampled || im.Access == tree.ReadOnly {
		memory |= tree.ReadOnly
	}
	texel := tree.Vector(tree.KindUint, im.Components)
	members := []tree.Member{{Name: "size", Type: tree.Vector(tree.KindUint, 4), Pos: name.Pos}, {Name: "texels", Type: tree.RuntimeArrayOf(texel), Pos: name.Pos}}
	b := &tree.Buffer{Name: name.Text, Instance: name.Text, Binding: im.Unit, Memory: memory, Image: &im, Pos: name.Pos,
		Block: tree.NewBlock(name.Text, members, tree.Layout{}, name.Pos)}
	p.addBuffer(b)
	p.declare(name, &symbol{kind: symImage, buffer: b})
}

// imageCall is a call of a function on images.
type imageCall struct {
	p    *parser
	name source.Token
	b    *tree.Buffer
	args []tree.Expr // behind the image
}

// callImage parses a call of a function on images or textures, whose name was read.
func callImage(p *parser, name source.Token) tree.Expr {
	p.expect("(")
	t := p.ident("an image")
	s := p.lookup(t.Text)
	c := &imageCall{p: p, name: name}
	for p.accept(",") {
		c.args = append(c.args, p.assignment())
	}
	p.expect(")")
	switch {
	case p.recovering || anyBroken(c.args...) || s != nil && s.kind == symBroken:
		return broken(name.Pos)
	case s == nil:
		p.undeclared(t)
		return broken(name.Pos)
	case s.kind != symImage:
		p.malformed(t.Pos, t.Text, "name an image or a sampler", "%s works on images, and %q is not one", name.Text, t.Text)
		return broken(name.Pos)
	}
	p.names.used(t, s)
	c.b = s.buffer
	return c.expr()
}

// imageFunctions are the functions on images and textures that are covered, with the number of their arguments behind the
// image and whether they take textures; more is a level, which is 0.
var imageFunctions = map[string]struct {
	args, most int
	sampled    bool
}{
	"imageSize": {0, 0, false}, "imageLoad": {1, 1, false}, "imageStore": {2, 2, false}, "textureSize": {0, 1, true}, "texelFetch": {1, 2, true},
	"imageAtomicAdd": {2, 2, false}, "imageAtomicMin": {2, 2, false}, "imageAtomicMax": {2, 2, false}, "imageAtomicAnd": {2, 2, false},
	"imageAtomicOr": {2, 2, false}, "imageAtomicXor": {2, 2, false}, "imageAtomicExchange": {2, 2, false}, "imageAtomicCompSwap": {3, 3, false},
}

func (c *imageCall) expr() tree.Expr {
	f := imageFunctions[c.name.Text]
	im := c.b.Image
	if f.sampled != im.Sampled || len(c.args) < f.args || len(c.args) > f.most {
		return c.wrong("no function fits the call %s(%s, …) with %d arguments", c.name.Text, im.Type, len(c.args)+1)
	}
	switch {
	case strings.HasSuffix(c.name.Text, "Size"):
		return c.size()
	case c.name.Text == "imageStore":
		return c.store()
	case strings.HasPrefix(c.name.Text, "imageAtomic"):
		return c.atomic()
	}
	return c.load()
}

func (c *imageCall) wrong(format string, args ...any) tree.Expr {
	c.p.malformed(c.name.Pos, c.name.Text, "give the image and the arguments that GLSL asks for", format, args...)
	return broken(c.name.Pos)
}

func (c *imageCall) node(t *tree.Type) tree.Node { return tree.Node{T: t, At: c.name.Pos} }

func (c *imageCall) member(i int) tree.Expr { return bufferRef(c.b, i, c.name.Pos) }

// size is the size as ints.
func (c *imageCall) size() tree.Expr {
	return convertKind(truncate(c.member(imageSize), c.b.Image.SizeWidth), tree.KindInt, true)
}

// texel is the texel that the first argument names, or the one beyond the image that outside says.
func (c *imageCall) texel(outside uint32) tree.Expr {
	im := c.b.Image
	at := c.args[0]
	if !at.Type().Equal(tree.Vector(tree.KindInt, im.Coordinates)) {
		return c.wrong("a texel of %s is named by %s, not %s", im.Type, tree.Vector(tree.KindInt, im.Coordinates), at.Type())
	}
	at = convertKind(at, tree.KindUint, false)
	if n := 3 - im.Coordinates; n > 0 {
		zero := &tree.Const{Node: c.node(tree.Vector(tree.KindUint, n)), Bits: make([]uint32, n)}
		at = foldCompose(&tree.Compose{Node: c.node(uvec3), Parts: []tree.Expr{at, zero}})
	}
	o := c.p.scopes[1].names["vt_texel"].overloads[0]
	c.p.noteCall(o, c.name.Pos)
	call := &tree.Call{Node: c.node(tree.Uint), Func: o.fn, Args: []tree.Arg{{X: at}, {X: c.member(imageSize)}, {X: uintConst(outside, c.name.Pos)}}}
	texels := c.member(imageTexels)
	return &tree.Index{Node: c.node(texels.Type().Elem), X: texels, I: call}
}

// The texels beyond an image.
const (
	stored = 0
	read   = 1
)

// load reads a texel; components that the format lacks are 0, and 1 for the last.
func (c *imageCall) load() tree.Expr {
	im := c.b.Image
	if im.Access == tree.WriteOnly {
		return c.wrong("%q is writeonly and is read here", c.b.Name)
	}
	if len(c.args) == 2 {
		if level := constant(c.args[1]); level == nil || level.T.Width != 1 || level.Bits[0] != 0 {
			c.p.outside(c.args[1].Pos(), "texelFetch", "read level 0", "textures have one level here, number 0")
			return broken(c.name.Pos)
		}
	}
	texel := c.texel(read)
	if isBroken(texel) {
		return texel
	}
	value := c.fromWords(texel)
	if im.Components == 4 {
		return value
	}
	rest := make([]uint32, 4-im.Components)
	if rest[len(rest)-1] = 1; im.Kind == tree.KindFloat {
		rest[len(rest)-1] = 0x3F800000
	}
	fill := &tree.Const{Node: c.node(tree.Vector(im.Kind, len(rest))), Bits: rest}
	return &tree.Compose{Node: c.node(tree.Vector(im.Kind, 4)), Parts: []tree.Expr{value, fill}}
}

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
	return convertKind(e, tree.KindUint, false)
}

// builtin calls a built-in function whose overload the arguments' types name.
func (c *imageCall) builtin(name string, args ...tree.Expr) tree.Expr {
	return c.p.callBuiltin(source.Token{Text: name, Pos: c.name.Pos}, tree.LookupBuiltin(name), args)
}

func (c *imageCall) store() tree.Expr {
	im := c.b.Image
	if im.Access == tree.ReadOnly {
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
	}
	step := 2
	if strings.HasSuffix(rounding, "4x8") {
		step = 4
	}
	if width < step {
		zero := &tree.Const{Node: c.node(tree.Vector(tree.KindFloat, step-width)), Bits: make([]uint32, step-width)}
		padded := foldCompose(&tree.Compose{Node: c.node(tree.Vector(tree.KindFloat, step)), Parts: []tree.Expr{e, zero}})
		return truncate(c.packed(rounding, padded), width)
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

// inHalves rounds four components two by two; the value is evaluated once for each half.
func (c *imageCall) inHalves(rounding string, e tree.Expr) tree.Expr {
	if !isPure(e) {
		c.p.outside(c.name.Pos, c.name.Text, "put the value in a variable first", "a value with side effects is stored in an image of format %s", c.b.Image.Format)
		return broken(c.name.Pos)
	}
	half := func(lanes ...uint8) tree.Expr {
		return c.packed(rounding, foldSwizzle(&tree.Swizzle{Node: c.node(tree.Vector(tree.KindFloat, 2)), X: e, Lanes: lanes}))
	}
	return foldCompose(&tree.Compose{Node: c.node(e.Type()), Parts: []tree.Expr{half(0, 1), half(2, 3)}})
}

// atomic changes a texel of an image of one 32-bit integer. Outside the image it changes what is stored there, and its value
// is not defined.
func (c *imageCall) atomic() tree.Expr {
	im := c.b.Image
	switch {
	case im.Format != "r32i" && im.Format != "r32ui":
		return c.wrong("%s works on images of the formats r32i and r32ui, not %s", c.name.Text, im.Format)
	case im.Access != 0:
		return c.wrong("%q is read and written here", c.b.Name)
	case im.Kind == tree.KindInt:
		c.p.outside(c.name.Pos, c.name.Text, "use an image of format r32ui", "atomic functions on iimages are outside the kernel language")
		return broken(c.name.Pos)
	}
	texel := c.texel(stored)
	if isBroken(texel) {
		return texel
	}
	args := append([]tree.Expr{texel}, c.args[1:]...)
	return c.builtin("atomic"+strings.TrimPrefix(c.name.Text, "imageAtomic"), args...)
}
