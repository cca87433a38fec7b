package engine

import (
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

const subgroupText = `#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { vec3 b[]; };
void main() { b[gl_LocalInvocationIndex] = subgroupAdd(b[gl_LocalInvocationIndex]) + float(gl_SubgroupSize); }
`

func subgroupProgram(t *testing.T, n int) *Program {
	t.Helper()
	p, _, err := CompileProgram("s", &source.File{Name: "s.comp", Text: subgroupText}, glsl.Options{Subgroup: n})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The text for a device with subgroups calls its functions, that for others has them written out.
func TestSubgroupTexts(t *testing.T) {
	p := subgroupProgram(t, 0)
	native := p.For(Floats{IEEE: true, Subgroups: true}, 0)
	for _, word := range []string{"#extension GL_KHR_shader_subgroup_shuffle : require", "subgroupShuffle(v, min(i, 31u))"} {
		if !strings.Contains(native.Text, word) || strings.Contains(p.Text, word) {
			t.Errorf("%q belongs into the text for a device with subgroups, and only there:\n%s", word, native.Text)
		}
	}
	one, err := p.WithSubgroup(1)
	if err != nil {
		t.Fatal(err)
	}
	if one.Subgroup() != 1 || one.For(Floats{IEEE: true, Subgroups: true}, 0).Text != one.Text || strings.Contains(one.Text, "shared") {
		t.Errorf("a subgroup of one invocation has neighbors:\n%s", one.Text)
	}
}

// A size that no subgroup can have is refused; a program without subgroups takes every other.
func TestSubgroupSizes(t *testing.T) {
	p := subgroupProgram(t, 8)
	for _, n := range []int{0, 3, 256, -1} {
		if _, err := p.WithSubgroup(n); err == nil {
			t.Errorf("a subgroup of %d invocations is taken", n)
		}
	}
	if q, err := p.WithSubgroup(8); err != nil || q != p {
		t.Error("the same size compiles again", err)
	}
	plain, err := CompileText("p", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n")
	if err != nil {
		t.Fatal(err)
	}
	if q, err := plain.WithSubgroup(4); err != nil || q != plain {
		t.Error("a program without subgroups is compiled again", err)
	}
}
