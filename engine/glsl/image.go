package glsl

import (
	_ "embed" // the own functions
	"fmt"
	"slices"
	"strings"
	"sync"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// The own functions on images and textures, in the kernel language: what images are made of, sampling, and sampling by the kind
// of the components.
var (
	//go:embed image.glsl
	imageText string
	//go:embed texture.glsl
	textureText string
	//go:embed texture_kind.glsl
	textureKindText string
	//go:embed texture_float.glsl
	textureFloatText string
	//go:embed texture_shadow.glsl
	textureShadowText string
	//go:embed texture_integer.glsl
	textureIntegerText string
)

// ImageFile is the name of the own functions on images in positions.
const ImageFile = "vyretop/image.glsl"

// The members of the block of an image. Those of textures, but of buffers, have two more before the texels.
const (
	imageSize = iota
	imageTexels
	textureSampling = imageTexels
	textureBorder   = textureSampling + 1
)

// imageForms are the forms of images and textures: how many numbers name a texel, and how many give the size.
var imageForms = map[string]struct{ coordinates, size int }{
	"1D": {1, 1}, "2D": {2, 2}, "3D": {3, 3}, "1DArray": {2, 2}, "2DArray": {3, 3}, "Buffer": {1, 1}, "2DRect": {2, 2}, "Cube": {3, 2}, "CubeArray": {3, 3},
	"2DMS": {2, 2}, "2DMSArray": {3, 3},
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
	"r11f_g11f_b10f": {4, "11_11_10"}, "rgb10_a2": {4, "10_2"}, "rgb10_a2ui": {4, "10_2"},
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
	form = strings.TrimSuffix(form, "Shadow")
	f, known := imageForms[form]
	im.Type, im.Sampled, im.Coordinates, im.SizeWidth = word, sampled, f.coordinates, f.size
	return im, known && outsideTypes[word] && rest != form
}

// withImages puts the own functions before the tokens of a text that has images.
func withImages(toks []source.Token) []source.Token {
	named := func(t source.Token) bool { return t.Kind == source.Ident && (IsOpaque(t.Text) || isSeparate(t.Text)) }
	sampled := func(t source.Token) bool { return t.Kind == source.Ident && needsTextures(t.Text) }
	compared := func(t source.Token) bool { return named(t) && strings.HasSuffix(t.Text, "Shadow") }
	switch {
	case !slices.ContainsFunc(toks, named):
		return toks
	case slices.ContainsFunc(toks, compared):
		return slices.Concat(textureLibrary(), shadowLibrary(), toks)
	case slices.ContainsFunc(toks, sampled):
		return slices.Concat(textureLibrary(), toks)
	}
	return slices.Concat(imageLibrary(), toks)
}

var (
	imageLibrary   = sync.OnceValue(func() []source.Token { return libraryTokens(imageText) })
	textureLibrary = sync.OnceValue(func() []source.Token {
		text := imageText + textureText
		for _, kind := range [][2]string{{"vec4", "sampler3D"}, {"ivec4", "isampler3D"}, {"uvec4", "usampler3D"}} {
			own := textureKindText
			if kind[0] != "vec4" {
				own += textureIntegerText
			}
			text += strings.NewReplacer("VEC4", kind[0], "SAMPLER", kind[1]).Replace(own)
		}
		return libraryTokens(text + textureFloatText)
	})
	shadowLibrary = sync.OnceValue(func() []source.Token { return libraryTokens(shadowText()) })
)

// shadowSample is a sample whose reference is behind the coordinates.
const shadowSample = `
float vt_shadowFORM(sampler3D s, VEC p, float lod, ivec3 offset, int axes, uint modes) {
	return vt_sampleShadow(s, p.REFERENCE, vt_placeFORM(p.AT, vt_size(s)), lod, offset, axes, modes).x;
}
`

// shadowGradient is a sample of a cube by derivatives, whose reference is behind the coordinates.
const shadowGradient = `
float vt_shadowGradCube(sampler3D s, vec4 p, vec3 x, vec3 y, ivec3 offset, int axes, uint modes) {
	return vt_sampleGradCubeShadow(s, p.w, p.xyz, x, y, offset, axes, modes).x;
}
`

// shadowText is the text of the functions on textures that are compared: those on floats, of which each takes the reference behind the
// texture and compares what a texel has.
func shadowText() string {
	text := strings.NewReplacer("VEC4", "vec4", "SAMPLER", "sampler3D").Replace(textureKindText) + textureFloatText
	_, text, _ = strings.Cut(text, "\n}\n") // the read of a texel
	var pairs []string
	for _, name := range strings.Fields("vt_at vt_nearest vt_gather vt_gatherOffsets vt_linear vt_sampleLevel vt_sample vt_sampleGradCube vt_sampleGradCubeArray") {
		pairs = append(pairs, name+"(s, ", name+"Shadow(s, reference, ", name+"(sampler3D s, ", name+"Shadow(sampler3D s, float reference, ")
	}
	text = textureShadowText + strings.NewReplacer(pairs...).Replace(text) + shadowGradient
	for _, form := range [][3]string{{"1D", "vec3", "x z"}, {"2D", "vec3", "xy z"}, {"2DRect", "vec3", "xy z"}, {"1DArray", "vec3", "xy z"}, {"2DArray", "vec4", "xyz w"}, {"Cube", "vec4", "xyz w"}} {
		at, reference, _ := strings.Cut(form[2], " ")
		text += strings.NewReplacer("FORM", form[0], "VEC", form[1], "AT", at, "REFERENCE", reference).Replace(shadowSample)
	}
	return text
}

// libraryTokens are the tokens of own functions, without the end.
func libraryTokens(text string) []source.Token {
	pre, diags := preprocess.Run(&source.File{Name: ImageFile, Text: text}, preprocess.Options{})
	if errs := diags.Errors(); len(errs) > 0 {
		panic("BUG: " + errs.Error())
	}
	return pre.Tokens[:len(pre.Tokens)-1]
}

// startsImages reports whether the uniforms declared next are images or textures that are covered.
func startsImages(p *parser, q qualifiers) bool {
	_, ok := imageAhead(p)
	return ok && q.storage == "uniform"
}

// imageAhead is the image or the texture whose type comes next.
func imageAhead(p *parser) (im tree.Image, ok bool) {
	t := p.tok()
	if t.Kind != source.Ident || !IsOpaque(t.Text) {
		return separateAhead(p)
	}
	return imageType(t.Text)
}

// declareImages parses "image2D a, b;".
func declareImages(p *parser, q qualifiers) {
	im, _ := imageAhead(p)
	p.next()
	good := imageLayout(p, q, &im)
	for !p.recovering {
		name := p.ident("the name of an image")
		count := imageCount(p)
		switch {
		case !good || count < 0:
			p.declareBroken(name)
		case count == 0:
			b := imageBuffer(name, q.memory, im)
			p.addBuffer(b)
			p.declare(name, &symbol{kind: symImage, buffer: b, access: q.memory})
		default:
			declareImageArray(p, q, name, im, count)
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
	given := im.Sampled || q.memory.Has(tree.WriteOnly) || enabled(p, formattedExtension)
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
		case format && !im.Sampled:
			p.malformed(id.pos, id.name, "use "+kindPrefix[imageKind(id.name)]+strings.TrimPrefix(im.Type, kindPrefix[im.Kind])+", or a format of "+im.Kind.String()+"s", "the format %s does not fit %s", id.name, im.Type)
			return false
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

// maxImages bounds the images of an array.
const maxImages = 256

// imageCount parses the size of an array of images: 0 when it is none, below 0 when it was refused.
func imageCount(p *parser) int {
	pos := p.pos()
	dims := p.dimensions()
	switch {
	case len(dims) == 0:
		return 0
	case len(dims) > 1 || dims[0].n == unsized || dims[0].n > maxImages:
		p.outside(pos, "[]", "write one size", "an array of images has one dimension and at most %d images", maxImages)
		return -1
	}
	return dims[0].n
}

// declareImageArray declares the images of an array, with bindings one after the other.
func declareImageArray(p *parser, q qualifiers, name source.Token, im tree.Image, count int) {
	s := &symbol{kind: symImage, access: q.memory}
	for i := range count {
		one := name
		one.Text = fmt.Sprintf("%s[%d]", name.Text, i)
		b := imageBuffer(one, q.memory, im)
		if im.Unit >= 0 {
			b.Binding += i
			b.Image.Unit += i
		}
		p.addBuffer(b)
		s.buffers = append(s.buffers, b)
	}
	s.buffer = s.buffers[0]
	p.declare(name, s)
}

// imageBuffer makes the buffer that stands for an image.
func imageBuffer(name source.Token, written tree.Memory, im tree.Image) *tree.Buffer {
	memory := written &^ (tree.WriteOnly | tree.ReadOnly)
	im.Access = written & (tree.WriteOnly | tree.ReadOnly)
	if im.Sampled || im.Access == tree.ReadOnly {
		memory |= tree.ReadOnly
	}
	words := tree.KindUint
	if im.Kind == tree.KindInt {
		words = tree.KindInt
	}
	member := func(word string, t *tree.Type) tree.Member { return tree.Member{Name: word, Type: t, Pos: name.Pos} }
	four := tree.Vector(tree.KindUint, 4)
	members := []tree.Member{member("size", four)}
	if im.Filtered() {
		members = append(members, member("sampling", four), member("border", four))
	}
	members = append(members, member("texels", tree.RuntimeArrayOf(tree.Vector(words, im.Components))))
	return &tree.Buffer{Name: name.Text, Instance: name.Text, Binding: im.Unit, Memory: memory, Image: &im, Pos: name.Pos,
		Block: tree.NewBlock(name.Text, members, tree.Layout{}, name.Pos)}
}
