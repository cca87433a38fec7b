package emit

import (
	"strings"
	"testing"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// A store beyond shared memory ends the process on llvmpipe, so indexes that may lead there are kept inside, and only those.
func TestSharedIndexesStayInside(t *testing.T) {
	const head = `#version 450
layout(local_size_x = 8, local_size_y = 2) in;
layout(std430, binding = 0) buffer B { uint x; int y; };
shared uint a[16], b[4][8];
void main() { `
	for statement, want := range map[string]string{
		"a[x] = 1u;":                              "a[min(x, 15u)]",
		"a[y] = 1u;":                              "a[min(uint(y), 15u)]",
		"x = a[x + 1u];":                          "a[min((x + 1u), 15u)]",
		"b[3][x] = 1u;":                           "b[(3u ^ vt_f_hidden)][min(x, 7u)]",
		"atomicAdd(a[x], 1u);":                    "a[min(x, 15u)]",
		"a[gl_LocalInvocationIndex] = 1u;":        "a[gl_LocalInvocationIndex]",
		"b[x % 4u][gl_LocalInvocationID.x] = 1u;": "][gl_LocalInvocationID.x]",
		"a[x & 15u] = 1u;":                        "a[(x & 15u)]",
		"a[x & 16u] = 1u;":                        "a[min((x & 16u), 15u)]",
		"a[15] = 1u;":                             "a[15]",
	} {
		u, err := glsl.Compile(&source.File{Name: "k.comp", Text: head + statement + " }"}, glsl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if text := Text(u.Program, Device{}).Text; !strings.Contains(text, want) {
			_, text, _ = strings.Cut(text, OwnLines)
			t.Errorf("%s does not become %s in\n%s", statement, want, text)
		}
	}
}
