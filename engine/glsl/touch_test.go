package glsl_test

import (
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

const touchedText = `#version 450
layout(local_size_x = 1) in;
struct Pair { uint a, b; };
layout(std430, binding = 0) buffer Data { uint total; uint v[4]; Pair pairs[]; };
uint bits = 0u;
uint touch(uint index, uint watched, uint bit) { bits |= index == watched ? bit : 0u; return index; }
void give(out uint x) { x = 1u; }
void main() {
    uint n = v[0];
    STATEMENT
}
`

func touches(statement, expr string) (string, error) {
	u, err := glsl.Compile(&source.File{Name: "m.comp", Text: strings.Replace(touchedText, "STATEMENT", statement, 1)},
		glsl.Options{Touches: []glsl.Touch{{Expr: expr, Files: func(string) bool { return true }, Function: "touch", Bit: 4}}})
	if err != nil {
		return "", err
	}
	text := plainTree(u.Program)
	return text[strings.LastIndex(text, "voidmain"):], nil
}

// TestWritesThatMayBeToAValueAreNoticed: those that are, by the types and the constants, to another place are not.
func TestWritesThatMayBeToAValueAreNoticed(t *testing.T) {
	for _, tt := range []struct {
		statement, expr string
		noticed         string // "" for not
	}{
		{"v[n] = 1u;", "v[2]", "v[touchn,2u,4u]=1u"},
		{"v[2] += 1u;", "v[2]", "v[inttouch2u,2u,4u]+=1u"},
		{"v[1] = 1u;", "v[2]", ""},
		{"n = v[2];", "v[2]", ""},
		{"total = 1u;", "v[2]", ""},
		{"total = 1u;", "total", "total=touch0u,0u,4u,1u"},
		{"total++;", "total", "touch0u,0u,4u,total++"},
		{"atomicAdd(total, 2u);", "total", "touch0u,0u,4u,2u"},
		{"atomicAdd(v[n], 2u);", "v[2]", "v[touchn,2u,4u]"},
		{"pairs[n].a = 1u;", "pairs[3].b", ""},
		{"pairs[n].b = 1u;", "pairs[3].b", "pairs[touchn,3u,4u].b=1u"},
		{"pairs[n] = pairs[0];", "pairs[3].b", "pairs[touchn,3u,4u]="},
		{"give(v[n]);", "v[2]", "v[touchn,2u,4u]"},
	} {
		got, err := touches(tt.statement, tt.expr)
		if err != nil {
			t.Errorf("%s: %v", tt.statement, err)
			continue
		}
		got = strings.NewReplacer("~", "", "uint2", "2u", "uint3", "3u").Replace(got)
		if tt.noticed == "" && strings.Contains(got, "touch") || !strings.Contains(got, tt.noticed) {
			t.Errorf("%s, watching %s: %s, want %q", tt.statement, tt.expr, got, tt.noticed)
		}
	}
	for _, tt := range [][2]string{{"give(total);", "total"}, {"n += total++;", "total"}, {";", "bits"}, {";", "nothing"}} {
		if got, err := touches(tt[0], tt[1]); err == nil {
			t.Errorf("%s, watching %s: %s", tt[0], tt[1], got)
		}
	}
}
