package tree_test

import (
	"slices"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

func TestNoInline(t *testing.T) {
	const text = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint v[]; };
uint leaf(uint a) { return a + 1u; }
uint caller(uint a) { return leaf(a) + leaf(2u * a); }
uint other(uint a) { return a; }
uint many(uint a) { return a; }
uint many(int a) { return 1u; }
void main() { v[0] = caller(v[1]) + other(v[2]) + many(v[3]) + many(1); }
`
	for _, test := range []struct {
		name   string
		wanted func(*tree.Function) bool
		want   []string
	}{
		{"all that call no other", func(*tree.Function) bool { return true }, []string{"leaf", "other"}},
		{"one that calls", func(f *tree.Function) bool { return f.Name == "caller" }, []string{"caller"}},
		{"by size", func(f *tree.Function) bool { return f.Size() > 10 }, []string{"caller"}},
		{"none", func(*tree.Function) bool { return false }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			unit, err := glsl.Compile(&source.File{Name: "k.comp", Text: text}, glsl.Options{NoInline: test.wanted})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range unit.Program.Functions {
				if f.NoInline {
					got = append(got, f.Name)
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}
