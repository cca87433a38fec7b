package glsl

import (
	"slices"

	"vyretop/engine/glsl/tree"
)

// accepts reports whether an argument of type arg may be passed for parameter q.
func accepts(q tree.Param, arg *tree.Type) bool {
	switch q.Mode {
	case tree.ModeOut:
		return convertibleType(q.Type, arg)
	case tree.ModeInOut:
		return q.Type.Equal(arg)
	default:
		return convertibleType(arg, q.Type)
	}
}

// resolve picks the overload for arguments of the given types by GLSL 4.50 section 6.1: an exact
// match, else the one candidate that is better than all others. It returns -1 when none fits or
// when several fit equally well (ambiguous).
func resolve(candidates [][]tree.Param, args []*tree.Type) (best int, ambiguous bool) {
	var fits []int
	for i, params := range candidates {
		switch match(params, args) {
		case matchExact:
			return i, false
		case matchConverted:
			fits = append(fits, i)
		}
	}
	for _, i := range fits {
		if betterThanAll(candidates, i, fits, args) {
			return i, false
		}
	}
	return -1, len(fits) > 0
}

const (
	matchNone = iota
	matchConverted
	matchExact
)

func match(params []tree.Param, args []*tree.Type) int {
	if len(params) != len(args) {
		return matchNone
	}
	kind := matchExact
	for i, q := range params {
		switch {
		case q.Type.Equal(args[i]):
		case accepts(q, args[i]):
			kind = matchConverted
		default:
			return matchNone
		}
	}
	return kind
}

// betterThanAll: at least as good in every argument and better in one, against each other
// candidate.
func betterThanAll(candidates [][]tree.Param, i int, fits []int, args []*tree.Type) bool {
	return !slices.ContainsFunc(fits, func(j int) bool {
		return i != j && !better(candidates[i], candidates[j], args)
	})
}

func better(a, b []tree.Param, args []*tree.Type) bool {
	once := false
	for i, t := range args {
		if betterConversion(t, b[i].Type, a[i].Type) {
			return false
		}
		once = once || betterConversion(t, a[i].Type, b[i].Type)
	}
	return once
}

// nearness is the order of the kinds to which a narrow one is converted, the best first.
var nearness = []tree.Kind{tree.KindInt16, tree.KindInt, tree.KindUint8, tree.KindUint16, tree.KindUint, tree.KindInt64, tree.KindUint64,
	tree.KindFloat16, tree.KindFloat, tree.KindDouble}

// betterConversion reports whether an argument fits a parameter of type a better than one of type b: exactly, or as a double of a float,
// or as a float where the other one is a double.
func betterConversion(arg, a, b *tree.Type) bool {
	switch {
	case a.Equal(b) || b.Equal(arg):
		return false
	case a.Equal(arg):
		return true
	}
	from, ka, kb := arg.ComponentKind(), a.ComponentKind(), b.ComponentKind()
	if from.IsNarrow() {
		return slices.Index(nearness, ka) < slices.Index(nearness, kb)
	}
	if from == tree.KindFloat {
		return ka == tree.KindDouble && kb != ka
	}
	return from.IsInteger32() && ka == tree.KindFloat && kb == tree.KindDouble
}
