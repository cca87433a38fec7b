package glsl

import (
	_ "embed"
	"fmt"
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

// Subgroups are neighbors by gl_LocalInvocationIndex. What their functions do is written in GLSL, with ballots and shuffles.

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
	const b = tree.KindBool
	numbers := func(text string) map[tree.Kind]string {
		m := map[tree.Kind]string{}
		for _, k := range subgroupKinds {
			if k != b {
				m[k] = text
			}
		}
		return m
	}
	bits := func(op string) map[tree.Kind]string {
		m := map[tree.Kind]string{b: "TYPE(BITS(r) " + op + " BITS(x))"}
		for _, k := range subgroupKinds {
			if k.IsInteger() {
				m[k] = "r " + op + " x"
			}
		}
		return m
	}
	constant := func(integers, bool string) map[tree.Kind]string {
		m := numbers(integers)
		m[b] = bool
		return m
	}
	return []subgroupOperation{
		{"Add", numbers("r + x"), numbers("0")},
		{"Mul", numbers("r * x"), numbers("1")},
		{"Min", numbers("min(r, x)"), extremes(false)},
		{"Max", numbers("max(r, x)"), extremes(true)},
		{"And", bits("&"), constant("-1", "true")},
		{"Or", bits("|"), constant("0", "false")},
		{"Xor", bits("^"), constant("0", "false")},
	}
}

// subgroupKinds are the kinds of the components of values that functions of subgroups take.
var subgroupKinds = slices.Concat([]tree.Kind{tree.KindFloat, tree.KindInt, tree.KindUint, tree.KindBool, tree.KindDouble, tree.KindInt64, tree.KindUint64}, tree.NarrowKinds())

// extremes are the least values of the kinds of numbers, or the greatest ones.
func extremes(least bool) map[tree.Kind]string {
	m := map[tree.Kind]string{}
	for _, k := range subgroupKinds {
		bits := 8 * k.Bytes()
		switch {
		case k.IsFloat() && least:
			m[k] = "-uintBitsToFloat(0x7F800000u)"
		case k.IsFloat():
			m[k] = "uintBitsToFloat(0x7F800000u)"
		case k.IsSigned() && bits == 64:
			m[k] = map[bool]string{true: "0x8000000000000000l", false: "0x7FFFFFFFFFFFFFFFl"}[least]
		case k.IsSigned() && least:
			m[k] = fmt.Sprintf("%#x", -1<<(bits-1)&0xFFFFFFFF)
		case k.IsSigned():
			m[k] = fmt.Sprintf("%#x", 1<<(bits-1)-1)
		case k.IsInteger() && !least:
			m[k] = "-1" // all bits
		case k.IsInteger():
			m[k] = "0"
		}
	}
	return m
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
	p.toks = slices.Concat(libraryTokens(subgroupLibrary(p.prog.Subgroup, kindsNamed(p, named), named)), p.toks)
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

// kindsNamed are the kinds that a text may have in functions of subgroups: those of 32 bits, and others of which it names a type or that
// its extensions add functions for.
func kindsNamed(p *parser, named map[string]bool) []tree.Kind {
	return slices.DeleteFunc(slices.Clone(subgroupKinds), func(k tree.Kind) bool {
		known := k == tree.KindDouble || p.narrow[k] || p.int64 && k.Words() == 2
		return (k.IsNarrow() || k.Words() == 2) && !(known && namesKind(k, named))
	})
}

// namesKind reports whether a type with components of a kind is among words.
func namesKind(k tree.Kind, words map[string]bool) bool {
	for n := 1; n <= 4; n++ {
		if words[tree.Vector(k, n).String()] {
			return true
		}
	}
	return k == tree.KindFloat16 && words["unpackFloat2x16"]
}

// subgroupLibrary is the text of the own functions, of each type as far as they are named.
func subgroupLibrary(width int, kinds []tree.Kind, named map[string]bool) string {
	var text strings.Builder
	text.WriteString(subgroupText)
	for _, kind := range kinds {
		for n := 1; n <= 4; n++ {
			text.WriteString(subgroupFunctions(tree.Vector(kind, n), named))
		}
	}
	return withWidth(text.String(), width)
}

// subgroupFunctions is the text of the functions on values of a type. Those of another size than 32 bits have a shuffle of their own.
func subgroupFunctions(t *tree.Type, named map[string]bool) string {
	var text strings.Builder
	text.WriteString(ownShuffle(t))
	for def := range strings.SplitSeq(subgroupTypeText, "\n\n") {
		if _, rest, ok := strings.Cut(def, " subgroup"); ok && named["subgroup"+rest[:strings.Index(rest, "(")]] {
			text.WriteString("\n" + strings.ReplaceAll(def, "TYPE", t.String()))
		}
	}
	for _, op := range subgroupOperations {
		if combined := op.combined[t.Kind]; combined != "" && op.named(named) {
			bits := strings.NewReplacer("TYPE", t.String(), "BITS", tree.Vector(tree.KindUint, t.Width).String())
			text.WriteString(strings.NewReplacer("COMBINED", bits.Replace(combined), "START", op.start[t.Kind], "TYPE", t.String(), "OP", op.name).Replace(subgroupFoldText))
		}
	}
	if ownShuffle(t) == "" {
		return text.String()
	}
	return strings.ReplaceAll(text.String(), " subgroupShuffle(value", " "+shuffleName+"(value")
}

// shuffleName is the shuffle of values that have not 32 bits.
const shuffleName = "vt_shuffle"

// ownShuffle is the text of that function, which shuffles values of 32 bits; "" for those.
func ownShuffle(t *tree.Type) string {
	if t.Kind.IsNarrow() {
		return fmt.Sprintf("\n%[1]s %[2]s(%[1]s v, uint id) { return %[1]s(subgroupShuffle(%[3]s(v), id)); }\n", t, shuffleName, t.Widened())
	}
	pack := map[tree.Kind]string{tree.KindDouble: "Double2x32", tree.KindInt64: "Int2x32", tree.KindUint64: "Uint2x32"}[t.Kind]
	if pack == "" {
		return ""
	}
	if t.Width == 1 {
		return fmt.Sprintf("\n%[1]s %[2]s(%[1]s v, uint id) { return pack%[3]s(subgroupShuffle(unpack%[3]s(v), id)); }\n", t, shuffleName, pack)
	}
	parts := make([]string, t.Width)
	for i := range parts {
		parts[i] = fmt.Sprintf("%s(v.%c, id)", shuffleName, "xyzw"[i])
	}
	return fmt.Sprintf("\n%[1]s %[2]s(%[1]s v, uint id) { return %[1]s(%[3]s); }\n", t, shuffleName, strings.Join(parts, ", "))
}

// named reports whether a text names one of the functions of the operation.
func (op *subgroupOperation) named(words map[string]bool) bool {
	return slices.ContainsFunc([]string{"", "Inclusive", "Exclusive", "Clustered"}, func(form string) bool { return words["subgroup"+form+op.name] })
}
