package glsl

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/tree"
)

// Every built-in function with every combination of argument types (two arguments and less:
// all combinations; more: the last ones follow the second) must be accepted or rejected as
// glslang does.
func TestOracleBuiltins(t *testing.T) {
	var probes []probe
	for i := range tree.Builtins {
		if i == int(tree.FnGridBarrier) || tree.Builtins[i].Family == tree.FamilySubgroup || onInt64(&tree.Builtins[i]) || tree.Builtins[i].Trinary() {
			continue // glslang does not know the first, those of subgroups only with extensions, and the last without those that they need
		}
		probes = append(probes, builtinProbes(&tree.Builtins[i])...)
	}
	agree(t, thin(probes), nil)
}

func builtinProbes(b *tree.Builtin) []probe {
	n := len(b.Signatures[0].Params)
	values := probeValues
	if b.Family == tree.FamilyAtomic {
		values = append([]string{"su1", "si1", "g.u3.y", "g.a2[1]", "1u", "gl_LocalInvocationIndex"}, values...)
	}
	probes := []probe{inMain(b.Name+"()", b.Name+"();")}
	if n == 0 {
		return append(probes, inMain(b.Name+"(1)", b.Name+"(1);"))
	}
	for _, x := range values {
		if n == 1 {
			probes = append(probes, call(b.Name, x))
			continue
		}
		for _, y := range values {
			probes = append(probes, manyArgs(b.Name, n, x, y)...)
		}
	}
	return probes
}

// manyArgs makes calls with n arguments of which the first is x and the second y.
func manyArgs(name string, n int, x, y string) []probe {
	if n == 2 {
		return []probe{call(name, x, y)}
	}
	var probes []probe
	for _, z := range []string{x, y, "g.i1", "g.b1", "g.b3", "g.f1", "g.u2"} {
		args := []string{x, y, z}
		for len(args) < n {
			args = append(args, z)
		}
		probes = append(probes, call(name, args...))
	}
	return probes
}

func call(name string, args ...string) probe {
	text := name + "(" + strings.Join(args, ", ") + ")"
	return inMain(text, text+";")
}
