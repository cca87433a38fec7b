package generate

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// subgroups writes what makes values from those of the invocations of a subgroup.
type subgroups struct{ *generator }

// subgroupForm makes a value from those of the invocations of a subgroup.
type subgroupForm struct {
	result func(g *generator) *tree.Type
	text   func(g subgroups, t *tree.Type) string
}

// subgroupForms are the functions and inputs of subgroups; the first is the simplest.
var subgroupForms = []subgroupForm{
	{anyOf(shortKinds), func(g subgroups, t *tree.Type) string { return g.shuffle(t) }},
	{anyOf(shortKinds[:3]), func(g subgroups, t *tree.Type) string { return g.fold(t, "Add", "Mul", "Min", "Max") }},
	{anyOf([]tree.Kind{tree.KindUint, tree.KindInt, tree.KindBool}), func(g subgroups, t *tree.Type) string { return g.fold(t, "And", "Or", "Xor") }},
	{always(tree.Bool), func(g subgroups, _ *tree.Type) string { return g.vote() }},
	{always(tree.Vector(tree.KindUint, 4)), func(g subgroups, _ *tree.Type) string {
		if g.t.below(4) == 3 {
			return pick(g.t, []string{"gl_SubgroupEqMask", "gl_SubgroupGeMask", "gl_SubgroupGtMask", "gl_SubgroupLeMask", "gl_SubgroupLtMask"})
		}
		return fmt.Sprintf("subgroupBallot(%s)", g.expr(tree.Bool, exprDepth-1))
	}},
	{always(tree.Uint), func(g subgroups, _ *tree.Type) string { return g.count() }},
	{anyOf(shortKinds), func(g subgroups, t *tree.Type) string { return g.quad(t) }},
}

func always(t *tree.Type) func(*generator) *tree.Type {
	return func(*generator) *tree.Type { return t }
}

// anyOf decides for a scalar or vector of one of some kinds.
func anyOf(list []tree.Kind) func(*generator) *tree.Type {
	return func(g *generator) *tree.Type { return tree.Vector(pick(g.t, list), 1+g.t.below(4)*g.t.below(2)) }
}

// value gives a new variable what a subgroup function makes, of all invocations or of those for which a condition holds. It stands
// only where all of them come: behind a branch GLSL leaves open when invocations meet again.
func (g subgroups) value() {
	g.shared.subgroups = true
	f := pick(g.t, subgroupForms)
	t := f.result(g.generator)
	v := &variable{name: g.fresh("v"), t: t}
	g.line("subgroupBarrier();")
	if g.t.below(3) != 2 {
		g.line("%s %s = %s;", t, v.name, f.text(g, t))
	} else {
		g.line("%s %s = %s;", t, v.name, g.literal(t))
		g.line("if (%s) %s = %s;", g.expr(tree.Bool, exprDepth-1), v.name, f.text(g, t))
	}
	g.scope = append(g.scope, v)
}

// another is the number of an invocation of a subgroup that is there, or is not.
func (g subgroups) another() string { return fmt.Sprintf("%s %% 9u", g.expr(tree.Uint, 2)) }

func (g subgroups) shuffle(t *tree.Type) string {
	x := g.expr(t, exprDepth-1)
	switch g.t.below(7) {
	case 1:
		return fmt.Sprintf("subgroupShuffleXor(%s, %s)", x, g.another())
	case 2:
		return fmt.Sprintf("subgroupShuffleUp(%s, %s)", x, g.another())
	case 3:
		return fmt.Sprintf("subgroupShuffleDown(%s, %s)", x, g.another())
	case 4:
		return fmt.Sprintf("subgroupBroadcast(%s, %du)", x, g.t.below(4))
	case 5:
		return fmt.Sprintf("subgroupBroadcastFirst(%s)", x)
	case 6:
		return fmt.Sprintf("subgroupRotate(%s, %du)", x, g.t.below(5))
	}
	return fmt.Sprintf("subgroupShuffle(%s, %s)", x, g.another())
}

// fold combines the values of invocations by one of some operations.
func (g subgroups) fold(t *tree.Type, ops ...string) string {
	form, op, x := pick(g.t, []string{"", "Inclusive", "Exclusive", "Clustered"}), pick(g.t, ops), g.expr(t, exprDepth-1)
	if form == "Clustered" {
		return fmt.Sprintf("subgroupClustered%s(%s, %du)", op, x, 1<<g.t.below(3))
	}
	return fmt.Sprintf("subgroup%s%s(%s)", form, op, x)
}

func (g subgroups) vote() string {
	switch g.t.below(5) {
	case 1:
		return fmt.Sprintf("subgroupAll(%s)", g.expr(tree.Bool, exprDepth-1))
	case 2:
		return fmt.Sprintf("subgroupAllEqual(%s)", g.expr(anyOf(shortKinds)(g.generator), exprDepth-1))
	case 3:
		return "subgroupElect()"
	case 4:
		return fmt.Sprintf("subgroupInverseBallot(%s)", g.expr(tree.Vector(tree.KindUint, 4), exprDepth-1))
	}
	return fmt.Sprintf("subgroupAny(%s)", g.expr(tree.Bool, exprDepth-1))
}

// count is an input, or a number that a ballot gives.
func (g subgroups) count() string {
	form := pick(g.t, []string{
		"gl_SubgroupInvocationID", "gl_SubgroupSize", "gl_SubgroupID", "gl_NumSubgroups", "subgroupBallotBitCount(b)", "subgroupBallotInclusiveBitCount(b)",
		"subgroupBallotExclusiveBitCount(b)",
	})
	return strings.Replace(form, "(b)", fmt.Sprintf("(subgroupBallot(%s))", g.expr(tree.Bool, 2)), 1)
}

func (g subgroups) quad(t *tree.Type) string {
	x := g.expr(t, exprDepth-1)
	if way := pick(g.t, []string{"Broadcast", "SwapHorizontal", "SwapVertical", "SwapDiagonal"}); way != "Broadcast" {
		return fmt.Sprintf("subgroupQuad%s(%s)", way, x)
	}
	return fmt.Sprintf("subgroupQuadBroadcast(%s, %du)", x, g.t.below(4))
}
