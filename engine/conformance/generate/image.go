package generate

import (
	"fmt"
	"strings"

	"vyretop/engine/conformance"
	"vyretop/engine/glsl/tree"
)

// sampleWeight is how many operators the sampling of a texture counts for: what drivers compile for it is long.
const sampleWeight = 20

// images are the texture and the image of a kernel.
type images struct {
	texel          *tree.Type // of the texture; nil when there is none
	texture, image string
	sampler        string // a function that samples a texture which it is given
	store          string // a function that stores into an image, and gives what is there then
}

// textureForm is a kind of texture.
type textureForm struct {
	form  string   // what follows sampler in its type
	calls []string // that read the texture t, with a vec2 p and a float l
	axes  int      // on which levels are smaller
	depth int      // layers, faces or the third axis; 0: decided
	bare  bool     // no sampler: no levels, no border
}

// textureForms are some of them.
var textureForms = []textureForm{
	{"2D", []string{"texture(t, p)", "textureLod(t, p, l)", "textureOffset(t, p, ivec2(-2, 3))", "textureProj(t, vec3(p, l))", "textureGather(t, p, 2)",
		"texelFetch(t, ivec2(p), int(l))", "textureGrad(t, p, vec2(l), p)"}, 2, 1, false},
	{"1D", []string{"texture(t, p.x)", "textureLod(t, p.x, l)", "texelFetch(t, int(p.x), int(l))"}, 1, 1, false},
	{"3D", []string{"texture(t, vec3(p, l))", "texelFetch(t, ivec3(p, l), 0)"}, 3, 0, false},
	{"2DArray", []string{"textureLod(t, vec3(p, l), l)", "textureGather(t, vec3(p, l), 1)", "texelFetch(t, ivec3(p, l), 1)"}, 2, 0, false},
	{"Cube", []string{"textureLod(t, vec3(p, l), p.x)"}, 2, 6, false},
	{"Buffer", []string{"texelFetch(t, int(p.x))"}, 1, 1, true},
	{"2DMS", []string{"texelFetch(t, ivec2(p), int(l)) * textureSamples(t)"}, 2, 1, true},
	{"2DMSArray", []string{"texelFetch(t, ivec3(p, l), textureSize(t).z - 1)"}, 2, 0, true},
}

// imageForm is a kind of image.
type imageForm struct {
	form    string // what follows image in its type
	texel   string // that of the invocation at, with the sample
	size    func(n uint32) [3]uint32
	samples uint32
}

func wide(n uint32) [3]uint32 { return [3]uint32{n, 1, 1} }

// imageForms are some of them.
var imageForms = []imageForm{
	{"2D", "ivec2(at, 0)", wide, 1}, {"1D", "at", wide, 1}, {"Buffer", "at", wide, 1}, {"2DMS", "ivec2(at, 0), 1", wide, 2},
	{"3D", "ivec3(0, at, 0)", func(n uint32) [3]uint32 { return [3]uint32{1, n, 1} }, 1},
	{"2DArray", "ivec3(0, 0, at)", func(n uint32) [3]uint32 { return [3]uint32{1, 1, n} }, 1},
	{"2DMSArray", "ivec3(0, 0, at), 0", func(n uint32) [3]uint32 { return [3]uint32{1, 1, n} }, 1},
	{"1DArray", "ivec2(0, at)", func(n uint32) [3]uint32 { return [3]uint32{1, n, 1} }, 1},
	{"Cube", onCube, func(n uint32) [3]uint32 { return [3]uint32{cubeSide(n), cubeSide(n), 6} }, 1},
	{"CubeArray", onCube, func(n uint32) [3]uint32 { return [3]uint32{cubeSide(n), cubeSide(n), 12} }, 1},
}

// onCube is a texel of a cube for each invocation: row by row, face by face.
const onCube = "ivec3(at % imageSize(m).x, at / imageSize(m).x % imageSize(m).x, at / (imageSize(m).x * imageSize(m).x))"

// cubeSide is the least side of a cube that has n texels.
func cubeSide(n uint32) uint32 {
	side := uint32(1)
	for side*side*6 < n {
		side++
	}
	return side
}

// counting is the format whose texels are changed by atomic functions.
const counting = "r32ui"

// formats are some formats of images.
var formats = []string{"rgba32f", "rgba8", "rgba16f", "r11f_g11f_b10f", "rgb10_a2", "rgba16_snorm", "rg16", "r8_snorm", counting}

// makeImages declares a texture of a few texels, and an image in which each invocation has a texel of its own.
func makeImages(g *generator) (text string, buffers []conformance.Buffer) {
	if g.t.below(6) != 5 {
		return "", nil
	}
	kind := pick(g.t, []tree.Kind{tree.KindFloat, tree.KindInt, tree.KindUint})
	prefix := map[tree.Kind]string{tree.KindInt: "i", tree.KindUint: "u"}[kind]
	im := &g.shared.images
	*im = images{texel: tree.Vector(kind, 4), texture: g.fresh("t"), image: g.fresh("m"), sampler: g.fresh("s"), store: g.fresh("w")}
	texture, image := pick(g.t, textureForms), pick(g.t, imageForms)
	format := pick(g.t, formats)
	whole := ""
	if format == counting {
		whole = "u"
	}
	text = fmt.Sprintf(`layout(binding = %d) uniform %ssampler%s %s;
layout(%s, binding = %d) uniform %simage%s %s;
%s %s(%ssampler%s t, vec2 p, float l) { return %s; }
vec4 %s(%simage%s m, int at, vec4 v) { %s }
`, bindingTexture, prefix, texture.form, im.texture, format, bindingImage, whole, image.form, im.image,
		im.texel, im.sampler, prefix, texture.form, casted(im.texel, pick(g.t, texture.calls)), im.store, whole, image.form, image.change(format))
	return text, []conformance.Buffer{{Binding: bindingTexture, Words: texture.words(g)}, {Binding: bindingImage, Words: image.words(g, format)}}
}

// casted makes a value of type t, also of what is multiplied by an int.
func casted(t *tree.Type, call string) string {
	if t.Kind == tree.KindUint {
		return strings.Replace(call, "* textureSamples(t)", "* uint(textureSamples(t))", 1)
	}
	return call
}

// change writes what stores v in the texel of the invocation, and returns what is there then.
func (f *imageForm) change(format string) string {
	if format == counting {
		return fmt.Sprintf("imageAtomicXor(m, %[1]s, floatBitsToUint(v.x)); imageAtomicMax(m, %[1]s, uint(v.y)); return vec4(imageLoad(m, %[1]s));", f.texel)
	}
	return fmt.Sprintf("imageStore(m, %[1]s, v); return imageLoad(m, %[1]s);", f.texel)
}

// words are those of a texture, with a level behind the first where it has levels.
func (f *textureForm) words(g *generator) []uint32 {
	size := [3]uint32{uint32(1 + g.t.below(5)), 1, uint32(f.depth)}
	if f.axes > 1 {
		size[1] = uint32(1 + g.t.below(4))
	}
	if f.depth == 0 {
		size[2] = uint32(1 + g.t.below(3))
	}
	if f.form == "Cube" {
		size[1] = size[0]
	}
	texels := size[0] * size[1] * size[2]
	if f.bare {
		if strings.HasPrefix(f.form, "2DMS") {
			texels *= uint32(1 + g.t.below(3))
		}
		return append(append(size[:], texels), append(g.input(int(texels*4)), make([]uint32, 8)...)...)
	}
	smaller := uint32(1)
	for i, n := range size {
		if i < f.axes {
			n = max(n/2, 1)
		}
		smaller *= n
	}
	texels += smaller
	head := []uint32{size[0], size[1], size[2], texels, uint32(g.t.below(2)), uint32(g.t.below(5) | g.t.below(5)<<4), uint32(g.t.below(2)), uint32(g.t.below(2))}
	return append(append(head, g.input(int(4+texels*4))...), make([]uint32, 8)...)
}

// words are those of an image that has a texel for each invocation of the grid.
func (f *imageForm) words(g *generator, format string) []uint32 {
	n := uint32(g.lanes * g.groups)
	components := uint32(4)
	if strings.HasPrefix(format, "rg1") && !strings.HasPrefix(format, "rgb") {
		components = 2
	} else if strings.HasPrefix(format, "r8") || strings.HasPrefix(format, "r3") {
		components = 1
	}
	size := f.size(n)
	texels := size[0] * size[1] * size[2] * f.samples
	return append(append(size[:], texels), make([]uint32, (texels+2)*components)...)
}

// sampled samples the texture.
func sampled(g *generator, t *tree.Type, depth int) string {
	if t != g.shared.images.texel || g.budget < sampleWeight {
		return ""
	}
	g.budget -= sampleWeight
	return fmt.Sprintf("%s(%s, %s, %s)", g.shared.images.sampler, g.shared.images.texture, g.expr(tree.Vector(tree.KindFloat, 2), depth), g.expr(tree.Float, depth))
}

// storeImage stores into the texel of the invocation. Only main knows which one that is.
func storeImage(g *generator, _ int) {
	if g.shared.images.texel == nil || g.fn.name != "main" {
		g.assign(0)
		return
	}
	v := &variable{name: g.fresh("v"), t: tree.Vector(tree.KindFloat, 4)}
	g.line("%s %s = %s(%s, int(at), %s);", v.t, v.name, g.shared.images.store, g.shared.images.image, g.expr(v.t, exprDepth))
	g.scope = append(g.scope, v)
}
