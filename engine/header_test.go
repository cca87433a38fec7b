package engine

import (
	"strings"
	"testing"
)

func TestHeaderIsForDriversOnly(t *testing.T) {
	const text = `#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { float words[]; };
struct Now { uint x; };
void main() { words[0] = sin(float(Now(3u).x)); }
`
	p, err := CompileText("clock", text)
	if err != nil {
		t.Fatal(err)
	}
	const header = "#extension GL_ARB_shader_clock : enable\n#define Now(none) clock2x32ARB()\n"
	q := p.WithHeader(header)
	for name, got := range map[string]*Program{"plain": q, "for other floats": q.For(Floats{}, 0)} {
		if !strings.HasPrefix(got.Text, "#version 450\n"+header+"#line ") || !strings.Contains(got.Text, "Now(") {
			t.Errorf("%s:\n%.300s", name, got.Text)
		}
	}
	if p.Text == q.Text || p.Tree != q.Tree || p.WithHeader("") != p {
		t.Error("the program itself was changed, or its tree")
	}
}
