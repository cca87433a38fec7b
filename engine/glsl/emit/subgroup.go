package emit

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// subgroup writes the functions that the others of subgroups are made of: for a device that has them with its own, in front of
// which stands what GLSL leaves open, and else through shared memory, for a device whose neighboring invocations run in step.
func subgroup(w *writer, x *tree.BuiltinCall) string {
	switch x.Builtin.ID {
	case tree.FnSubgroupBallot:
		return ballot(w) + "(" + w.expr(x.Args[0].X) + ")"
	case tree.FnSubgroupShuffle:
		return shuffle(w, x.T) + "(" + w.expr(x.Args[0].X) + ", " + w.expr(x.Args[1].X) + ")"
	}
	if nativeSubgroups(w) {
		return "subgroupBarrier()"
	}
	return "memoryBarrierShared()"
}

// nativeSubgroups reports whether the device's own functions are called.
func nativeSubgroups(w *writer) bool { return w.prelude.Device.Subgroups && w.prog.Subgroup > 1 }

// subgroupHeader enables the device's own functions.
func subgroupHeader(w *writer) string {
	if !nativeSubgroups(w) {
		return ""
	}
	var b strings.Builder
	for _, part := range []string{"basic", "ballot", "shuffle"} {
		fmt.Fprintf(&b, "#extension GL_KHR_shader_subgroup_%s : require\n", part)
	}
	return b.String()
}

func laneCount(w *writer) uint32 {
	return w.prog.LocalSize[0] * w.prog.LocalSize[1] * w.prog.LocalSize[2]
}

// ballot names the function that tells for which active invocations of the subgroup a bool is true.
func ballot(w *writer) string {
	width := uint32(w.prog.Subgroup)
	switch {
	case nativeSubgroups(w):
		return "subgroupBallot"
	case width == 1:
		return w.helper("ballot", func(name string) string { return "uvec4 " + name + "(bool v) { return uvec4(uint(v), 0u, 0u, 0u); }" })
	}
	return w.helper("ballot", func(name string) string {
		return fmt.Sprintf("shared uint %[1]s_w[%[2]d]; uvec4 %[1]s(bool v) { uint i = gl_LocalInvocationIndex / %[3]du; %[1]s_w[i] = 0u; memoryBarrierShared(); "+
			"atomicOr(%[1]s_w[i], uint(v) << (gl_LocalInvocationIndex %% %[3]du)); memoryBarrierShared(); uint r = %[1]s_w[i]; memoryBarrierShared(); return uvec4(r, 0u, 0u, 0u); }",
			name, (laneCount(w)+width-1)/width, width)
	})
}

// shuffle names the function that gives the value of another invocation, 0 of one that is not active or not there.
func shuffle(w *writer, t *tree.Type) string {
	words, name := w.typeName(tree.Vector(tree.KindUint, t.Width)), w.typeName(t)
	to, from := words+"(v)", name+"(r)"
	switch t.Kind {
	case tree.KindFloat:
		to, from = "floatBitsToUint(v)", "uintBitsToFloat(r)"
	case tree.KindBool:
		from = "notEqual(r, " + words + "(0u))"
		if t.Width == 1 {
			from = "r != 0u"
		}
	}
	inner := shuffleWords(w, t.Width)
	return w.helper("shuffle "+name, func(f string) string {
		return fmt.Sprintf("%[1]s %[2]s(%[1]s v, uint i) { %[3]s r = %[4]s(%[5]s, i); return %[6]s; }", name, f, words, inner, to, from)
	})
}

// shuffleWords names the function that does it with words.
func shuffleWords(w *writer, n int) string {
	t, width := w.typeName(tree.Vector(tree.KindUint, n)), uint32(w.prog.Subgroup)
	key := fmt.Sprintf("shuffle words %d", n)
	if width == 1 {
		return w.helper(key, func(name string) string {
			return fmt.Sprintf("%[1]s %[2]s(%[1]s v, uint i) { return i == 0u ? v : %[1]s(0u); }", t, name)
		})
	}
	taking := ballot(w)
	if nativeSubgroups(w) {
		return w.helper(key, func(name string) string {
			return fmt.Sprintf("%[1]s %[2]s(%[1]s v, uint i) { uvec4 m = %[3]s(true); %[1]s r = subgroupShuffle(v, min(i, %[4]du)); "+
				"return i < %[5]du && (m[i >> 5 & 3u] >> (i & 31u) & 1u) != 0u ? r : %[1]s(0u); }", t, name, taking, width-1, width)
		})
	}
	one := w.helper("shuffle a word", func(name string) string {
		return fmt.Sprintf("shared uint %[1]s_w[%[2]d]; uint %[1]s(uint v, uint i, bool known) { %[1]s_w[gl_LocalInvocationIndex] = v; memoryBarrierShared(); uint r = 0u; "+
			"if (known) r = %[1]s_w[gl_LocalInvocationIndex / %[3]du * %[3]du + i]; memoryBarrierShared(); return r; }", name, laneCount(w), width)
	})
	return w.helper(key, func(name string) string {
		var parts []string
		for i := range n {
			component := "v"
			if n > 1 {
				component = "v." + "xyzw"[i:i+1]
			}
			parts = append(parts, fmt.Sprintf("%s(%s, i, known)", one, component))
		}
		return fmt.Sprintf("%[1]s %[2]s(%[1]s v, uint i) { uint m = %[4]s(true).x; bool known = i < %[3]du && (m >> (i & 31u) & 1u) != 0u; return %[1]s(%[5]s); }",
			t, name, width, taking, strings.Join(parts, ", "))
	})
}
