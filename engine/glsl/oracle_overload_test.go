package glsl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// Random sets of overloads and calls must resolve as in glslang: the same calls are ambiguous or
// without a match, and each other call picks the same function. The functions return vectors of
// different widths, and every width is tried as the type of the result.
func TestOracleOverloads(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	var probes []probe
	for set := range 250 {
		params := 1 + random.IntN(3)
		overloads := randomOverloads(random, params)
		for range 2 {
			call := "f(" + strings.Join(draw(random, []string{"g.i1", "g.u1", "g.f1", "g.b1", "g.i2", "g.u2", "g.f2"}, params), ", ") + ")"
			for width := 2; width <= 4; width++ {
				text := fmt.Sprintf("%s%svoid main() { bvec%d r = %s; }\n", probeHead, overloads, width, call)
				probes = append(probes, probe{fmt.Sprintf("set %d width %d: %s%s", set, width, overloads, call), text})
			}
		}
	}
	agree(t, probes, nil)
}

// randomOverloads declares two or three functions f with different parameters, and result bvec2,
// bvec3 and bvec4.
func randomOverloads(random *rand.Rand, params int) string {
	var text strings.Builder
	seen := map[string]bool{}
	for width := 2; width <= 2+1+random.IntN(2); width++ {
		list := draw(random, []string{"int", "uint", "float", "uvec2", "vec2", "out float", "inout uint", "out int"}, params)
		types := strings.NewReplacer("inout ", "", "out ", "").Replace(strings.Join(list, ","))
		if seen[types] {
			continue
		}
		seen[types] = true
		for i := range list {
			list[i] += fmt.Sprintf(" p%d", i)
		}
		fmt.Fprintf(&text, "bvec%d f(%s) { return bvec%d(true); }\n", width, strings.Join(list, ", "), width)
	}
	return text.String()
}

func draw(random *rand.Rand, from []string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = from[random.IntN(len(from))]
	}
	return list
}
