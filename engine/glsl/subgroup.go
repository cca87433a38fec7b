package glsl

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

var (
	//go:embed subgroup.glsl
	subgroupText string
	//go:embed subgroup_type.glsl
	subgroupTypeText string
	//go:embed subgroup_fold.glsl
	subgroupFoldText string
)

// Subgroups are neighbours by gl_LocalInvocationIndex. What their functions do is written in GLSL, with ballots and shuffles.

// DefaultSubgroup is how many invocations a subgroup has unless Options.Subgroup says otherwise.
const DefaultSubgroup = 32

// MaxSubgroup is the largest number: a ballot has four words.
const MaxSubgroup = 128

// ValidSubgroup reports whether a subgroup can have that many invocations.
func ValidSubgroup(n int) bool { return n >= 1 && n <= MaxSubgroup && n&(n-1) == 0 }

// subgroupExtensions add the functions of subgroups, each some of them. All are known where one is enabled.
var subgroupExtensions = wordSet(`GL_KHR_shader_subgroup_basic GL_KHR_shader_subgroup_vote GL_KHR_shader_subgroup_arithmetic
	GL_KHR_shader_subgroup_ballot GL_KHR_shader_subgroup_shuffle GL_KHR_shader_subgroup_shuffle_relative
	GL_KHR_shader_subgroup_clustered GL_KHR_shader_subgroup_quad GL_KHR_shader_subgroup_rotate GL_ARB_shader_group_vote GL_ARB_shader_ballot`)

// subgroupInputs are the inputs of subgroups, as expressions.
var subgroupInputs = map[string]string{
	"gl_SubGroupSizeARB": "WIDTH", "gl_SubGroupInvocationARB": "(gl_LocalInvocationIndex % WIDTH)",
	"gl_SubgroupSize": "WIDTH", "gl_SubgroupInvocationID": "(gl_LocalInvocationIndex % WIDTH)", "gl_SubgroupID": "(gl_LocalInvocationIndex / WIDTH)",
	"gl_NumSubgroups":   "((gl_WorkGroupSize.x * gl_WorkGroupSize.y * gl_WorkGroupSize.z + WIDTH - 1u) / WIDTH)",
	"gl_SubgroupEqMask": "vt_eqMask()", "gl_SubgroupGeMask": "vt_geMask()", "gl_SubgroupGtMask": "vt_gtMask()",
	"gl_SubgroupLeMask": "vt_leMask()", "gl_SubgroupLtMask": "vt_ltMask()",
}

// subgroupAliases are functions of GL_ARB_shader_group_vote, which are part of GLSL 4.60 without their suffix, and of GL_ARB_shader_ballot.
var subgroupAliases = map[string]string{
	"readInvocationARB": "subgroupBroadcast", "readFirstInvocationARB": "subgroupBroadcastFirst",
	"anyInvocation": "subgroupAny", "allInvocations": "subgroupAll", "allInvocationsEqual": "subgroupAllEqual",
	"anyInvocationARB": "subgroupAny", "allInvocationsARB": "subgroupAll", "allInvocationsEqualARB": "subgroupAllEqual",
}

// subgroupOperation is an operation that combines the values of a subgroup.
type subgroupOperation struct {
	name     string
	combined map[tree.Kind]string // of r and x
	start    map[tree.Kind]string // what no value gives
}

var subgroupOperations = buildSubgroupOperations()

func buildSubgroupOperations() []subgroupOperation {
	const f, i, u, b = tree.KindFloat, tree.KindInt, tree.KindUint, tree.KindBool
	numbers := func(text string) map[tree.Kind]string { return map[tree.Kind]string{f: text, i: text, u: text} }
	bits := func(op string) map[tree.Kind]string {
		return map[tree.Kind]string{i: "r " + op + " x", u: "r " + op + " x", b: "TYPE(BITS(r) " + op + " BITS(x))"}
	}
	const infinity = "uintBitsToFloat(0x7F800000u)"
	return []subgroupOperation{
		{"Add", numbers("r + x"), numbers("0")},
		{"Mul", numbers("r * x"), numbers("1")},
		{"Min", numbers("min(r, x)"), map[tree.Kind]string{f: infinity, i: "0x7FFFFFFF", u: "0xFFFFFFFFu"}},
		{"Max", numbers("max(r, x)"), map[tree.Kind]string{f: "-" + infinity, i: "0x80000000", u: "0u"}},
		{"And", bits("&"), map[tree.Kind]string{i: "-1", u: "0xFFFFFFFFu", b: "true"}},
		{"Or", bits("|"), map[tree.Kind]string{i: "0", u: "0u", b: "false"}},
		{"Xor", bits("^"), map[tree.Kind]string{i: "0", u: "0u", b: "false"}},
	}
}

// ballotExtension has ballots of 64 bits as well, which are outside of the language.
const ballotExtension = "GL_ARB_shader_ballot"

// usesSubgroups reports whether the text enables functions of subgroups.
func usesSubgroups(p *parser) bool {
	for name := range subgroupExtensions {
		if enabled(p, name) {
			return true
		}
	}
	return p.pre.Version >= votesVersion && slices.ContainsFunc(p.toks, func(t source.Token) bool {
		return t.Kind == source.Ident && subgroupAliases[t.Text] != "" && !strings.HasSuffix(t.Text, "ARB")
	})
}

// votesVersion is the version of GLSL that votes are part of.
const votesVersion = 460

// withSubgroups puts the own functions before the tokens of a text that enables subgroups, and calls of them into it.
func withSubgroups(p *parser) {
	if !usesSubgroups(p) {
		return
	}
	if p.prog.Subgroup = p.opts.Subgroup; p.prog.Subgroup == 0 {
		p.prog.Subgroup = DefaultSubgroup
	}
	p.toks = withSubgroupInputs(p.toks, p.prog.Subgroup)
	named := map[string]bool{}
	for i := range p.toks {
		t := &p.toks[i]
		if alias := subgroupAliases[t.Text]; t.Kind == source.Ident && alias != "" {
			t.Text = alias
		}
		named[t.Text] = true
	}
	p.toks = slices.Concat(libraryTokens(subgroupLibrary(p.prog.Subgroup, named)), p.toks)
}

// withSubgroupInputs puts expressions in the place of the inputs of subgroups. The tokens are new ones.
func withSubgroupInputs(toks []source.Token, width int) []source.Token {
	out := make([]source.Token, 0, len(toks))
	for _, t := range toks {
		input := subgroupInputs[t.Text]
		if t.Kind != source.Ident || input == "" {
			out = append(out, t)
			continue
		}
		for _, x := range libraryTokens(withWidth(input, width)) {
			x.Pos = t.Pos
			out = append(out, x)
		}
	}
	return out
}

func withWidth(text string, n int) string {
	return strings.ReplaceAll(text, "WIDTH", strconv.Itoa(n)+"u")
}

// subgroupLibrary is the text of the own functions, of each type as far as they are named.
func subgroupLibrary(width int, named map[string]bool) string {
	var text strings.Builder
	text.WriteString(subgroupText)
	for _, kind := range []tree.Kind{tree.KindFloat, tree.KindInt, tree.KindUint, tree.KindBool} {
		for n := 1; n <= 4; n++ {
			t := tree.Vector(kind, n).String()
			for def := range strings.SplitSeq(subgroupTypeText, "\n\n") {
				if _, rest, ok := strings.Cut(def, " subgroup"); ok && named["subgroup"+rest[:strings.Index(rest, "(")]] {
					text.WriteString("\n" + strings.ReplaceAll(def, "TYPE", t))
				}
			}
			for _, op := range subgroupOperations {
				if combined := op.combined[kind]; combined != "" && op.named(named) {
					bits := strings.NewReplacer("TYPE", t, "BITS", tree.Vector(tree.KindUint, n).String())
					text.WriteString(strings.NewReplacer("COMBINED", bits.Replace(combined), "START", op.start[kind], "TYPE", t, "OP", op.name).Replace(subgroupFoldText))
				}
			}
		}
	}
	return withWidth(text.String(), width)
}

// named reports whether a text names one of the functions of the operation.
func (op *subgroupOperation) named(words map[string]bool) bool {
	return slices.ContainsFunc([]string{"", "Inclusive", "Exclusive", "Clustered"}, func(form string) bool { return words["subgroup"+form+op.name] })
}
