package generate

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// sharing is what invocations of the kernel have in common.
type sharing struct {
	arrays []string       // declarations of shared arrays, an element for each invocation
	totals []*accumulator // in the order of their first use
	images images

	subgroups bool // the kernel uses their functions
}

// accumulator is a place that all invocations change by one atomic operation.
type accumulator struct {
	name   string
	op     tree.AtomicOp
	t      *tree.Type
	shared bool
}

// workWords is how many words of the buffer Work each invocation has for itself.
const workWords = 4

// work is that part of the buffer.
var work = &variable{name: "work", t: tree.ArrayOf(tree.Uint, workWords), base: fmt.Sprintf("gl_GlobalInvocationID.x * %du", workWords)}

// atomic writes an atomic on a place that all invocations share, whose old value is not used, or on a
// place of the invocation's own.
func (g *generator) atomic(int) {
	switch {
	case g.fn.pure:
		g.assign(0)
	case g.t.below(3) == 2:
		g.ownAtomic()
	default:
		a := g.accumulator()
		g.line("atomic%s(%s, %s);", a.op, a.name, g.expr(a.t, exprDepth-1))
	}
}

// ownAtomic uses any atomic, and its result.
func (g *generator) ownAtomic() {
	op := tree.AtomicOp(g.t.below(int(tree.AtomicCompSwap) + 1))
	v := &variable{name: g.fresh("v"), t: tree.Uint}
	args := []string{work.name + g.index(work.base, workWords), g.expr(tree.Uint, 2)}
	if op == tree.AtomicCompSwap {
		args = append(args, g.expr(tree.Uint, 2))
	}
	g.line("uint %s = atomic%s(%s);", v.name, op, strings.Join(args, ", "))
	g.scope = append(g.scope, v)
}

// accumulator decides for a place; each has one operation.
func (g *generator) accumulator() *accumulator {
	want := accumulator{op: tree.AtomicOp(g.t.below(int(tree.AtomicXor) + 1)), t: tree.Uint}
	if g.t.below(2) == 1 {
		want.t = tree.Int
	}
	want.shared = g.t.below(2) == 1
	want.name = fmt.Sprintf("total%s%s", want.op, strings.ToUpper(want.t.String()[:1]))
	if want.shared {
		want.name = "group" + want.name[len("total"):]
	}
	for _, a := range g.shared.totals {
		if a.name == want.name {
			return a
		}
	}
	g.shared.totals = append(g.shared.totals, &want)
	return &want
}

// fences are what stands between the stores and the loads of other invocations. All but the first
// order buffer memory too, which barrier() alone does not.
var fences = []string{"barrier();", "memoryBarrierBuffer(); barrier();", "memoryBarrier(); barrier();", "groupMemoryBarrier(); barrier();"}

// exchange passes values between the invocations of a workgroup. It stands only where all of them
// come.
func (g *generator) exchange() {
	other := fmt.Sprintf("(lane + %du) %% %du", g.t.below(g.lanes), g.lanes)
	if g.t.below(3) == 2 {
		other = fmt.Sprintf("%s %% %du", g.expr(tree.Uint, 2), g.lanes)
	}
	v := &variable{name: g.fresh("v"), t: g.storable()}
	if g.t.below(3) == 2 {
		v.t = tree.Uint
		fence := pick(g.t, fences[1:])
		g.line("%s", fence)
		g.line("uint %s = work[(gl_WorkGroupID.x * %du + %s) * %du + %du];", v.name, g.lanes, other, workWords, g.t.below(workWords))
		g.line("%s", fence)
	} else {
		array := g.fresh("x")
		g.shared.arrays = append(g.shared.arrays, fmt.Sprintf("%s %s[%d]", v.t, array, g.lanes))
		g.line("%s[lane] = %s;", array, g.expr(v.t, exprDepth))
		g.line("%s", pick(g.t, fences))
		g.line("%s %s = %s[%s];", v.t, v.name, array, other)
		g.line("barrier();")
	}
	g.scope = append(g.scope, v)
}

// gridExchange reads what an invocation of any workgroup has stored, between two barriers of the grid.
// They stand at the top level of main only.
func (g *generator) gridExchange() {
	if g.loops > 0 {
		g.exchange()
		return
	}
	v := &variable{name: g.fresh("v"), t: tree.Uint}
	g.line("gridBarrier();")
	g.line("uint %s = work[%s %% %du];", v.name, g.expr(tree.Uint, 2), workWords*g.lanes*g.groups)
	g.line("gridBarrier();")
	g.scope = append(g.scope, v)
}

// look reads a shared accumulator between two barriers, when there is one.
func (g *generator) look() {
	i := slices.IndexFunc(g.shared.totals, func(a *accumulator) bool { return a.shared })
	if i < 0 {
		g.exchange()
		return
	}
	a := g.shared.totals[i]
	v := &variable{name: g.fresh("v"), t: a.t}
	g.line("barrier();")
	g.line("%s %s = %s;", v.t, v.name, a.name)
	g.line("barrier();")
	g.scope = append(g.scope, v)
}
