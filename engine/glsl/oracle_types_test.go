package glsl

import (
	"fmt"
	"strings"
	"testing"

	"vyretop/engine/glsl/tree"
)

const probeHead = `#version 450
layout(local_size_x = 1) in;
struct S { int a; float b; };
layout(std430, binding = 0) buffer B {
  bool b1; bvec2 b2; bvec3 b3; bvec4 b4; int i1; ivec2 i2; ivec3 i3; ivec4 i4;
  uint u1; uvec2 u2; uvec3 u3; uvec4 u4; float f1; vec2 f2; vec3 f3; vec4 f4; S s; int a2[2]; float run[];
} g;
shared uint su1; shared int si1;
`

// probeValues are one l-value of each type of the subset.
var probeValues = []string{"g.b1", "g.b2", "g.b3", "g.b4", "g.i1", "g.i2", "g.i3", "g.i4",
	"g.u1", "g.u2", "g.u3", "g.u4", "g.f1", "g.f2", "g.f3", "g.f4"}

var aggregateValues = []string{"g.s", "g.a2"}

func inMain(name, body string) probe {
	return probe{name, probeHead + "void main() { " + body + " }\n"}
}

// Every binary and compound operator on every pair of types must be accepted or rejected as
// glslang does.
func TestOracleOperators(t *testing.T) {
	var probes []probe
	values := append(append([]string{}, probeValues...), aggregateValues...)
	for op := tree.Add; op <= tree.LogicalXor; op++ {
		for _, x := range values {
			for _, y := range values {
				probes = append(probes, inMain(fmt.Sprintf("%s %s %s", x, op, y), x+" "+op.String()+" "+y+";"))
				if op <= tree.BitXor {
					probes = append(probes, inMain(fmt.Sprintf("%s %s= %s", x, op, y), x+" "+op.String()+"= "+y+";"))
				}
			}
		}
	}
	agree(t, thin(probes), nil)
}

func TestOracleLogicalTernaryAndAssign(t *testing.T) {
	var probes []probe
	values := append(append([]string{}, probeValues...), aggregateValues...)
	for _, x := range values {
		probes = append(probes, inMain("cond "+x, x+" ? 1 : 2;"), inMain("if "+x, "if ("+x+") ;"),
			inMain("index "+x, "g.a2["+x+"];"), inMain("switch "+x, "switch ("+x+") { case 1: break; }"))
		for _, y := range values {
			for _, op := range []string{"&&", "||", "=", ","} {
				probes = append(probes, inMain(x+" "+op+" "+y, x+" "+op+" "+y+";"))
			}
			probes = append(probes, inMain("?: "+x+" "+y, "g.b1 ? "+x+" : "+y+";"))
		}
	}
	agree(t, probes, nil)
}

func TestOracleUnary(t *testing.T) {
	var probes []probe
	for _, x := range append(append([]string{}, probeValues...), aggregateValues...) {
		for _, op := range []string{"+", "-", "!", "~", "++", "--"} {
			probes = append(probes, inMain(op+x, op+x+";"))
		}
		probes = append(probes, inMain(x+"++", x+"++;"), inMain(x+"--", x+"--;"))
	}
	agree(t, probes, func(c comparison) bool {
		return unaryHoles[c.name] && c.ours != nil
	})
}

// unaryHoles are expressions that glslang lets through although GLSL 4.50 section 5.9 forbids
// them: + takes arithmetic operands only, and ~ integers.
var unaryHoles = map[string]bool{"+g.b1": true, "+g.b2": true, "+g.b3": true, "+g.b4": true, "+g.s": true,
	"+g.a2": true, "~g.a2": true}

func probeTypes() []string {
	var list []string
	for k := tree.KindBool; k <= tree.KindFloat; k++ {
		for w := 1; w <= 4; w++ {
			list = append(list, tree.Vector(k, w).String())
		}
	}
	return list
}

// Initializers, arguments, results and out parameters convert as glslang lets them.
func TestOracleConversions(t *testing.T) {
	var probes []probe
	for _, typ := range probeTypes() {
		for _, v := range probeValues {
			probes = append(probes,
				inMain(typ+" x = "+v, typ+" x = "+v+";"),
				probe{"in " + typ + " " + v, probeHead + "void f(" + typ + " x) {} void main() { f(" + v + "); }"},
				probe{"out " + typ + " " + v, probeHead + "void f(out " + typ + " x) { x = " + typ + "(1); } void main() { f(" + v + "); }"},
				probe{"inout " + typ + " " + v, probeHead + "void f(inout " + typ + " x) {} void main() { f(" + v + "); }"},
				probe{"return " + typ + " " + v, probeHead + typ + " f() { return " + v + "; } void main() { f(); }"},
			)
		}
	}
	agree(t, probes, nil)
}

func TestOracleConstructors(t *testing.T) {
	var probes []probe
	values := append(append([]string{}, probeValues...), aggregateValues...)
	types := append(probeTypes(), "S", "int[2]", "int[]", "float[3]")
	for _, typ := range types {
		probes = append(probes, inMain(typ+"()", typ+"();"))
		for _, x := range values {
			probes = append(probes, inMain(typ+"("+x+")", typ+" ("+x+");"))
			for _, y := range values {
				probes = append(probes, inMain(typ+"("+x+","+y+")", typ+"("+x+", "+y+");"))
			}
		}
		for _, list := range []string{"1, 2, 3", "1, 2, 3, 4", "g.f2, 1, g.b1", "g.u3, g.i2, 1", "1.5, true, 2u", "g.i1, g.f4, 1, 2"} {
			probes = append(probes, inMain(typ+"("+list+")", typ+"("+list+");"))
		}
	}
	agree(t, thin(probes), nil)
}

func TestOracleSwizzles(t *testing.T) {
	var probes []probe
	for _, v := range probeValues {
		for _, s := range []string{"x", "y", "z", "w", "r", "s", "q", "xx", "xy", "yx", "zw", "xg", "xyz", "rgb", "xyzw", "xyzwx", "stpq", "k", "length()", "foo()"} {
			probes = append(probes, inMain("read "+v+"."+s, v+"."+s+";"))
			if !strings.HasSuffix(s, ")") {
				probes = append(probes, inMain("write "+v+"."+s, v+"."+s+" = "+v+"."+s+";"))
			}
		}
		for _, i := range []string{"0", "1", "3", "4", "-1", "1u", "1.0", "true", "g.i1", "g.u1", "g.f1"} {
			probes = append(probes, inMain(v+"["+i+"]", v+"["+i+"];"))
		}
	}
	agree(t, probes, nil)
}
