package glsl

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

const indexed = `#version 450
layout(local_size_x = 1) in;
struct Pair { uint a; uint b[4]; };
layout(std430, binding = 0) buffer Cells { uint head; Pair cells[]; };
shared uint seen[8];
uint check(uint index, uint length, uint number) { return index; }
void change(inout uint x) { x++; }
void main() {
	uint i = head;
	int j = int(i);
	cells[i].b[j] = seen[2] + cells[7].a;
	uvec3 v = uvec3(i);
	v[i] += v[1];
	change(seen[seen[i]]);
	atomicAdd(cells[i].a, 1u);
}
`

// TestIndexChecks: each access whose index may be out of range passes it, its length and its number through the function
// of the kernel, and is known by its place and kind.
func TestIndexChecks(t *testing.T) {
	unit, err := Compile(&source.File{Name: "k.comp", Text: indexed}, Options{IndexChecks: IndexChecks{Files: func(string) bool { return true }, Function: "check"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := verify(unit.Program); err != nil {
		t.Error(err)
	}
	text := tree.Format(unit.Program)
	for _, want := range []string{"seen[2] + ", "check(i, 3u, "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	got := map[string]int{}
	for _, c := range unit.Program.IndexChecks {
		got[c.Kind.String()+" in line "+c.Pos.String()[len("k.comp:"):][:2]]++
		if c.Function.Name != "main" {
			t.Errorf("%s is in %s", c.Pos, c.Function.Name)
		}
	}
	want := map[string]int{"write in line 11": 2, "read in line 11": 1, "write in line 13": 1, "write in line 14": 1, "read in line 14": 1, "atomic in line 15": 1}
	if len(got) != len(want) {
		t.Errorf("checks %v, want %v", got, want)
	}
	for key, n := range want {
		if got[key] != n {
			t.Errorf("%s: %d checks, want %d of %v", key, got[key], n, got)
		}
	}
}

// TestIndexChecksChooseFiles: without a choice, and in files that are not chosen, nothing is checked.
func TestIndexChecksChooseFiles(t *testing.T) {
	for _, o := range []IndexChecks{{}, {Files: func(name string) bool { return name != "k.comp" }, Function: "check"}} {
		unit, err := Compile(&source.File{Name: "k.comp", Text: indexed}, Options{IndexChecks: o})
		if err != nil || len(unit.Program.IndexChecks) > 0 {
			t.Errorf("%d checks, %v", len(unit.Program.IndexChecks), err)
		}
	}
}
