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

// samplings are calls that sample a texture; %[1]s stands for it, %[2]s and %[3]s for a vec2 and a float.
var samplings = []string{
	"texture(%[1]s, %[2]s)", "textureLod(%[1]s, %[2]s, %[3]s)", "textureOffset(%[1]s, %[2]s, ivec2(-2, 3))", "textureProj(%[1]s, vec3(%[2]s, %[3]s))",
	"textureGather(%[1]s, %[2]s, 2)", "texelFetch(%[1]s, ivec2(%[2]s), int(%[3]s))", "textureGrad(%[1]s, %[2]s, vec2(%[3]s), %[2]s)",
}

// formats are some formats of images.
var formats = []string{"rgba32f", "rgba8", "rgba16f", "r11f_g11f_b10f", "rgb10_a2", "rgba16_snorm", "rg16", "r8_snorm"}

// makeImages declares a texture of a few texels, and an image in which each invocation has a texel of its own.
func makeImages(g *generator) (text string, buffers []conformance.Buffer) {
	if g.t.below(6) != 5 {
		return "", nil
	}
	kind := pick(g.t, []tree.Kind{tree.KindFloat, tree.KindInt, tree.KindUint})
	prefix := map[tree.Kind]string{tree.KindInt: "i", tree.KindUint: "u"}[kind]
	im := &g.shared.images
	*im = images{texel: tree.Vector(kind, 4), texture: g.fresh("t"), image: g.fresh("m"), sampler: g.fresh("s"), store: g.fresh("w")}
	format := pick(g.t, formats)
	sampling := fmt.Sprintf(pick(g.t, samplings), "t", "p", "l")
	text = fmt.Sprintf(`layout(binding = %[1]d) uniform %[2]ssampler2D %[3]s;
layout(%[4]s, binding = %[5]d) uniform image2D %[6]s;
%[7]s %[8]s(%[2]ssampler2D t, vec2 p, float l) { return %[9]s; }
vec4 %[10]s(image2D m, int at, vec4 v) { imageStore(m, ivec2(at, 0), v); return imageLoad(m, ivec2(at, 0)); }
`, bindingTexture, prefix, im.texture, format, bindingImage, im.image, im.texel, im.sampler, sampling, im.store)
	return text, []conformance.Buffer{{Binding: bindingTexture, Words: textureWords(g)}, {Binding: bindingImage, Words: imageWords(g, format)}}
}

// textureWords are the words of a texture with a level behind the first.
func textureWords(g *generator) []uint32 {
	w, h := uint32(1+g.t.below(5)), uint32(1+g.t.below(4))
	texels := w*h + max(w/2, 1)*max(h/2, 1)
	head := []uint32{w, h, 1, texels, uint32(g.t.below(2)), uint32(g.t.below(5) | g.t.below(5)<<4), uint32(g.t.below(2)), uint32(g.t.below(2))}
	return append(append(head, g.input(int(4+texels*4))...), make([]uint32, 8)...)
}

// imageWords are the words of an image that is as wide as the grid.
func imageWords(g *generator, format string) []uint32 {
	n := uint32(g.lanes * g.groups)
	components := uint32(4)
	if strings.HasPrefix(format, "rg1") && !strings.HasPrefix(format, "rgb") {
		components = 2
	} else if strings.HasPrefix(format, "r8") {
		components = 1
	}
	return append([]uint32{n, 1, 1, n}, make([]uint32, (n+2)*components)...)
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
