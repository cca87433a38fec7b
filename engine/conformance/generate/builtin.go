package generate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"vyretop/engine/glsl/tree"
)

// overload is one signature of a built-in function.
type overload struct {
	*tree.Builtin
	*tree.Signature
}

// callable holds the overloads: those that only compute a value, by its type, and those that
// write to arguments.
type callable struct {
	values  map[*tree.Type][]overload
	writers []overload
}

// callables are the overloads for kernels with components of 64 bits, or for those without.
func callables(g *generator) callable {
	return allCallables()[g.wide][g.narrow]
}

// allCallables are those for kernels by whether they have components of 64 bits, and of 8 and 16.
var allCallables = sync.OnceValue(func() map[bool]map[bool]callable {
	m := map[bool]map[bool]callable{}
	for _, wide := range []bool{false, true} {
		m[wide] = map[bool]callable{false: callablesOf(wide, false), true: callablesOf(wide, true)}
	}
	return m
})

// isWide reports whether an overload has components of 64 bits.
func isWide(s *tree.Signature) bool {
	wide := func(t *tree.Type) bool { return t.ComponentKind().Words() == 2 }
	return wide(s.Result) || slices.ContainsFunc(s.Params, func(p tree.Param) bool { return wide(p.Type) })
}

func callablesOf(wide, narrow bool) callable {
	c := callable{values: map[*tree.Type][]overload{}}
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		if b.Family == tree.FamilyAtomic || b.Family == tree.FamilyBarrier || b.Family == tree.FamilySubgroup {
			continue
		}
		list := b.Signatures
		if narrow {
			list = slices.Concat(list, tree.NarrowSignatures(b))
		}
		for j := range list {
			s := &list[j]
			if isWide(s) && !wide {
				continue
			}
			if slices.ContainsFunc(s.Params, func(p tree.Param) bool { return p.Mode != tree.ModeIn }) {
				c.writers = append(c.writers, overload{b, s})
			} else {
				c.values[s.Result] = append(c.values[s.Result], overload{b, s})
			}
		}
	}
	return c
}

// weight is how many operators a call counts for, beside the one that it is: what drivers compile for an
// approximate function is long.
func (f overload) weight() int {
	switch t := f.Params[0].Type; {
	case t.Matrix && f.Approximate:
		return 4 * t.Components()
	case t.Matrix || f.Result.Matrix:
		return max(t.Components(), f.Result.Components())
	case f.Approximate:
		return 4 + 2*f.Params[0].Type.Width
	case f.Params[0].Type.Kind.IsFloat():
		return f.Params[0].Type.Width
	}
	return 0
}

// builtin calls a built-in function that only computes a value.
func (g *generator) builtin(t *tree.Type, depth int) string {
	list := callables(g).values[t]
	if len(list) == 0 {
		return ""
	}
	if wide := slices.DeleteFunc(slices.Clone(list), func(f overload) bool { return !isWide(f.Signature) }); len(wide) > 0 && g.t.below(6) == 5 {
		list = wide
	}
	f := list[(g.t.below(256)<<8|g.t.below(256))%len(list)]
	g.budget -= f.weight()
	g.trinary = g.trinary || f.Trinary()
	args := make([]string, len(f.Params))
	for i, p := range f.Params {
		args[i] = g.expr(p.Type, depth)
	}
	if f.ID == tree.FnClamp {
		orderBounds(args, f.Signature)
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
}

// orderBounds gives clamp bounds that are the right way round (section 8.3).
func orderBounds(args []string, s *tree.Signature) {
	bounds := [...][2]string{tree.KindInt: {"-7", "100"}, tree.KindUint: {"3u", "1000u"}, tree.KindFloat: {"-1.5", "40.0"},
		tree.KindDouble: {"-1.5lf", "40.0lf"}, tree.KindInt64: {"-7l", "100l"}, tree.KindUint64: {"3ul", "1000ul"},
		tree.KindInt8: {"-7", "100"}, tree.KindUint8: {"3u", "200u"}, tree.KindInt16: {"-7", "100"}, tree.KindUint16: {"3u", "1000u"}, tree.KindFloat16: {"-1.5", "40.0"}}[s.Result.Kind]
	for i, b := range bounds {
		args[i+1] = fmt.Sprintf("%s(%s)", s.Params[i+1].Type, b)
	}
}

// writer calls a built-in function that writes to its arguments, as a statement of its own: the
// results are new variables.
func (g *generator) writer(int) {
	f := pick(g.t, callables(g).writers)
	var args []string
	var made []*variable
	for _, p := range f.Params {
		if p.Mode == tree.ModeIn {
			args = append(args, g.expr(p.Type, 2))
			continue
		}
		v := &variable{name: g.fresh("v"), t: p.Type}
		made = append(made, v)
		args = append(args, v.name)
		g.line("%s %s = %s;", v.t, v.name, g.literal(v.t))
	}
	call := fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", "))
	if f.Result == tree.Void {
		g.line("%s;", call)
	} else {
		v := &variable{name: g.fresh("v"), t: f.Result}
		made = append(made, v)
		g.line("%s %s = %s;", v.t, v.name, call)
	}
	g.scope = append(g.scope, made...)
}
