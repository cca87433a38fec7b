package lower_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

const header = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer B { uint u; vec3 f; uint data[]; };
#line 1
`

func parse(t *testing.T, text string) *tree.Program {
	t.Helper()
	u, err := glsl.Compile(&source.File{Name: "k", Text: header + text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u.Program
}

// The scripts show the code of small kernels: "code" prints the instructions, "vars" where variables live.
func TestCode(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			r, err := lower.Lower(parse(t, d.Input))
			if err != nil {
				return err.Error()
			}
			if _, err := vm.Verify(r.Code); err != nil {
				t.Fatal(err)
			}
			if d.Cmd == "vars" {
				return varsText(r)
			}
			return vm.Disassemble(r.Code)
		})
	})
}

func varsText(r *lower.Result) string {
	var b strings.Builder
	for _, v := range r.Vars {
		fmt.Fprintf(&b, "%s: r%d, instructions %d to %d, call %d\n", v.Variable.Name, v.Reg, v.From, v.To, v.Call)
	}
	return b.String()
}

func TestLimitsAreErrorsWithAPlace(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("uint f0(uint x) { return x * u; }\n")
	for i := range 30 {
		fmt.Fprintf(&doubling, "uint f%d(uint x) { return f%d(x) ^ f%d(x + 1u); }\n", i+1, i, i)
	}
	tests := []struct{ what, text string }{
		{"instructions", doubling.String() + "void main() { u = f30(u); }"},
		{"registers", "void main() { uint a[32000], b[32000], c[9000]; u = a[u] + b[u] + c[u]; }"},
		{"registers", "uint g(uint i) { uint a[20000]; a[i] = i; return a[u]; }\nvoid main() { uint a[32000], b[20000]; a[u] = g(u); u = a[1] + b[u]; }"},
	}
	for _, test := range tests {
		_, err := lower.Lower(parse(t, test.text))
		var limit *lower.LimitError
		if !errors.As(err, &limit) || limit.What != test.what || !limit.Pos.IsValid() || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("error %v, want the limit of %s", err, test.what)
		}
	}
}
