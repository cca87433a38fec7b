package generate

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"vyretop/engine/conformance"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// mainBudget is how many operators main and what it calls may have, topStatements how many statements
// main has at most.
const (
	mainBudget    = 44
	topStatements = 8
)

// The bindings of a kernel's buffers.
const (
	bindingSource = iota
	bindingResult
	bindingWork
	bindingTotals
	bindingUniforms
	bindingTexture
	bindingImage
	bindingCells
	bindingPairs // and the next one
)

// sourceWords is how many input words an invocation has.
const sourceWords = 12

// workgroupSizes are the numbers of invocations of a workgroup: parts of vectors of lanes, whole ones,
// several.
var workgroupSizes = []int{1, 2, 4, 8, 16, 32, 3, 7, 33}

// Kernel makes the kernel of a tape. Its name is for the caller to give.
func Kernel(t *Tape) conformance.Case {
	g := &generator{t: t, lanes: pick(t, workgroupSizes)}
	g.groups = 1 + t.below(3)
	g.wide, g.narrow = t.below(3) == 2, t.below(3) == 2
	lanes := g.lanes * g.groups
	words := g.input(sourceWords * lanes)
	structs := g.makeStructs()
	g.globals = []*variable{work}
	globals := g.makeGlobals()
	cells := makeCells(g)
	uniforms, given, open := makeUniforms(g)
	pictures, filled := makeImages(g)
	g.makeFunctions()
	body := g.main()
	row, stores := g.results()

	var text strings.Builder
	extensions := ""
	if g.shared.subgroups {
		extensions = "#extension GL_KHR_shader_subgroup_basic : require\n" // enables all of them
	}
	if g.wide {
		extensions += "#extension GL_ARB_gpu_shader_int64 : require\n"
	}
	if g.trinary {
		extensions += "#extension GL_AMD_shader_trinary_minmax : require\n"
	}
	if g.narrow {
		extensions += "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
	}
	fmt.Fprintf(&text, "#version 450\n%slayout(local_size_x = %d) in;\n%s%s%s%s", extensions, g.lanes, structs, uniforms, globals, pictures)
	text.WriteString(g.declarations(row) + cells.declaration())
	for _, f := range g.functions {
		text.WriteString(f.text)
	}
	fmt.Fprintf(&text, "void main() {\n%s%s%s%s}\n", g.prologue(), body, stores, g.epilogue())
	c := conformance.Case{Text: spread(g, text.String()), Grid: [3]uint32{uint32(g.groups), 1, 1}, Buffers: []conformance.Buffer{
		{Binding: bindingSource, Words: words},
		{Binding: bindingResult, Words: make([]uint32, max(1, (lanes*row.Size()+3)/4))},
		{Binding: bindingWork, Words: words[: workWords*lanes : workWords*lanes]},
	}}
	if n := len(g.shared.totals); n > 0 {
		c.Buffers = append(c.Buffers, conformance.Buffer{Binding: bindingTotals, Words: words[:n:n]})
	}
	c.Buffers = append(c.Buffers, given...)
	if cells != nil {
		c.Buffers = append(c.Buffers, conformance.Buffer{Binding: bindingCells, Words: g.input(cells.words(lanes))})
	}
	c.Buffers = bindOpen(append(c.Buffers, filled...), open)
	return c
}

// spread gives the workgroup of a kernel one to three dimensions with the same invocations. Vectors of lanes that a device
// fills along one dimension have idle lanes then.
func spread(g *generator, text string) string {
	var sizes [][3]int
	for y := 1; y <= g.lanes; y++ {
		for z := 1; z*y <= g.lanes; z++ {
			if g.lanes%(y*z) == 0 {
				sizes = append(sizes, [3]int{g.lanes / (y * z), y, z})
			}
		}
	}
	size := pick(g.t, sizes) // the first is of one dimension
	if size[0] == g.lanes {
		return text
	}
	one, many := fmt.Sprintf("local_size_x = %d)", g.lanes), fmt.Sprintf("local_size_x = %d, local_size_y = %d, local_size_z = %d)", size[0], size[1], size[2])
	at := fmt.Sprintf("(gl_WorkGroupID.x * %du + gl_LocalInvocationIndex)", g.lanes)
	return strings.ReplaceAll(strings.Replace(text, one, many, 1), "gl_GlobalInvocationID.x", at)
}

// input decides for the words that the kernel reads.
func (g *generator) input(n int) []uint32 {
	style, seed := g.t.below(4), g.t.word()
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	words := make([]uint32, n)
	for i := range words {
		switch style {
		case 1:
			words[i] = uint32(i)
		case 2:
			words[i] = r.Uint32()
		case 3:
			words[i] = interesting[r.IntN(len(interesting))] >> (r.Uint32() & 7 * (r.Uint32() & 1))
		}
	}
	return words
}

// makeGlobals declares private variables and constants of the module.
func (g *generator) makeGlobals() string {
	var text strings.Builder
	for range 2 {
		g.optional(3, func() {
			v := &variable{name: g.fresh("g"), t: g.anyType(), constant: g.t.below(3) == 2}
			prefix := ""
			if v.constant {
				prefix = "const "
			}
			if v.constant && specializable(v.t) && g.t.below(2) == 1 {
				prefix = fmt.Sprintf("layout(constant_id = %d) const ", len(g.globals))
			}
			fmt.Fprintf(&text, "%s%s %s = %s;\n", prefix, v.t, v.name, g.literal(v.t))
			g.globals = append(g.globals, v)
		})
	}
	return text.String()
}

// specializable reports whether a constant of type t may be given another value for a dispatch.
func specializable(t *tree.Type) bool {
	return t.IsScalar() && !t.Kind.IsNarrow() && t.Kind != tree.KindInt64 && t.Kind != tree.KindUint64
}

// main writes the statements of main.
func (g *generator) main() string {
	g.begin(&function{name: "main", result: tree.Void}, mainBudget)
	g.indent = 1
	g.scope = []*variable{
		{name: "lane", t: tree.Uint, constant: true}, {name: "at", t: tree.Uint, constant: true},
		{name: "gl_WorkGroupID", t: tree.Vector(tree.KindUint, 3), constant: true},
		{name: "u", t: tree.Vector(tree.KindUint, 4)}, {name: "i", t: tree.Vector(tree.KindInt, 4)},
		{name: "f", t: tree.Vector(tree.KindFloat, 4)},
	}
	g.top(topStatements)
	return g.text.String()
}

// top writes statements that all invocations reach together.
func (g *generator) top(most int) {
	for range most {
		g.optional(3, func() { g.topStatement(most) })
	}
}

func (g *generator) topStatement(most int) {
	switch g.t.below(16) {
	case 12:
		g.gridExchange()
	case 9:
		g.exchange()
	case 10:
		g.look()
	case 11:
		g.together(most)
	case 13:
		g.longLoop()
	case 14:
		subgroups{g}.value()
	default:
		g.stmt(3)
	}
}

// together writes a loop that all invocations go round together.
func (g *generator) together(most int) {
	if g.loops > 0 || most < 4 {
		g.exchange()
		return
	}
	i, visible := g.fresh("i"), len(g.scope)
	g.line("for (int %s = 0; %s < %d; %s++) {", i, i, 1+g.t.below(maxRounds), i)
	g.scope = append(g.scope, &variable{name: i, t: tree.Int, constant: true})
	g.indent++
	g.loops++
	g.joint++
	g.top(3)
	g.joint--
	g.loops--
	g.indent--
	g.line("}")
	g.scope = g.scope[:visible]
}

// inputs is how many variables main begins with that are no results.
const inputs = 3

// results makes a row of the variables of main, and the statements that store them.
func (g *generator) results() (row *tree.Struct, stores string) {
	var text strings.Builder
	var members []tree.Member
	for _, v := range g.scope[inputs:] {
		t, value := v.t, v.name
		if t.Kind == tree.KindBool {
			t = t.WithKind(tree.KindUint)
			value = fmt.Sprintf("%s(%s)", t, value)
		}
		members = append(members, tree.Member{Name: v.name, Type: t})
		fmt.Fprintf(&text, "  rows[at].%s = %s;\n", v.name, value)
	}
	return tree.NewStruct("Row", members, source.Pos{}).Struct, text.String()
}

// declarations writes shared variables and buffers.
func (g *generator) declarations(row *tree.Struct) string {
	var text, totals strings.Builder
	fmt.Fprintf(&text, "struct Row {%s };\n", memberList(row.Members))
	fmt.Fprintf(&text, "layout(std430, binding = %d) readonly buffer Source { uvec4 source[]; };\n", bindingSource)
	fmt.Fprintf(&text, "layout(std430, binding = %d) buffer Result { Row rows[]; };\n", bindingResult)
	fmt.Fprintf(&text, "layout(std430, binding = %d) coherent buffer Work { uint work[]; };\n", bindingWork)
	for _, a := range g.shared.totals {
		if a.shared {
			fmt.Fprintf(&text, "shared %s %s;\n", a.t, a.name)
		}
		fmt.Fprintf(&totals, " %s %s;", a.t, a.total())
	}
	if totals.Len() > 0 {
		fmt.Fprintf(&text, "layout(std430, binding = %d) coherent buffer Totals {%s };\n", bindingTotals, &totals)
	}
	for _, array := range g.shared.arrays {
		fmt.Fprintf(&text, "shared %s;\n", array)
	}
	return text.String()
}

// total is the member of the buffer Totals that an accumulator ends in.
func (a *accumulator) total() string {
	if a.shared {
		return a.name + "s"
	}
	return a.name
}

// prologue writes the beginning of main: ids, inputs, and the first values of shared accumulators.
func (g *generator) prologue() string {
	var text, init strings.Builder
	fmt.Fprintf(&text, `  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * %[1]du];
  ivec4 i = ivec4(source[at * %[1]du + 1u]);
  vec4 f = uintBitsToFloat(source[at * %[1]du + 2u]);
`, sourceWords/4)
	for _, a := range g.shared.totals {
		if a.shared {
			fmt.Fprintf(&init, " %s = %s(1000);", a.name, a.t)
		}
	}
	if init.Len() > 0 {
		fmt.Fprintf(&text, "  if (lane == 0u) {%s }\n  barrier();\n", &init)
	}
	return text.String()
}

// epilogue adds the shared accumulators to those of the buffer.
func (g *generator) epilogue() string {
	var text strings.Builder
	for _, a := range g.shared.totals {
		if a.shared {
			fmt.Fprintf(&text, "  if (lane == 0u) atomic%s(%s, %s);\n", a.op, a.total(), a.name)
		}
	}
	if text.Len() > 0 {
		return "  barrier();\n" + text.String()
	}
	return ""
}
