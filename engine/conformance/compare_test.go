package conformance

import (
	"errors"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
)

const blockKernel = `//: grid 1 1 1
#version 450
layout(local_size_x = 1) in;
struct Inner { vec3 place; uint id; };
struct Row { int head; Inner inner[2]; uvec2 tail; };
layout(std430, binding = 2) buffer Out { uint count; Row rows[]; } o;
layout(std430, binding = 0) buffer In { float x[3]; };
void main() { o.count = 1u; }
`

func TestFieldAtNamesEveryWord(t *testing.T) {
	c := &Case{Name: "fields", Text: blockKernel}
	p, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	out := p.Tree.Buffers[0]
	const rows, row = 16, 64 // Row: head, 12 bytes of padding, two Inner of 16, tail, padding
	for offset, want := range map[int]string{
		0: "o.count uint", 4: "padding none", rows: "o.rows[0].head int", rows + 4: "padding none",
		rows + 16: "o.rows[0].inner[0].place.x float", rows + 28: "o.rows[0].inner[0].id uint",
		rows + 40: "o.rows[0].inner[1].place.z float", rows + 52: "o.rows[0].tail.y uint", rows + 56: "padding none",
		rows + 3*row + 32: "o.rows[3].inner[1].place.x float",
	} {
		name, kind := FieldAt(out, offset)
		if got := name + " " + kind.String(); got != want {
			t.Errorf("byte %d: %s, want %s", offset, got, want)
		}
	}
	if name, _ := FieldAt(p.Tree.Buffers[1], 8); name != "x[2]" {
		t.Errorf("byte 8 of In: %s", name)
	}
}

func TestCompareNamesTheFirstDifference(t *testing.T) {
	c := &Case{Name: "fields", Text: blockKernel, Buffers: []Buffer{{Binding: 0}, {Binding: 2}}}
	p, err := c.Compile()
	if err != nil {
		t.Fatal(err)
	}
	in := []uint32{0, 0x7FC00000, 5}
	want := outcome{words: [][]uint32{in, make([]uint32, 20)}}
	if d := compare(c, p.Tree, want, want); d != nil {
		t.Errorf("equal outcomes differ: %v", d)
	}
	got := outcome{words: [][]uint32{{0, 0xFFC00000, 5}, make([]uint32, 20)}}
	got.words[1][17] = 9
	d := compare(c, p.Tree, got, want)
	if d == nil || d.Words != 2 || d.Block != "In" || d.Offset != 4 || d.Field != "x[1]" || d.Subject != 0xFFC00000 {
		t.Errorf("got %+v", d)
	}
	failed := outcome{words: want.words, err: &engine.Error{Code: engine.CodeDispatchFailed}}
	if d := compare(c, p.Tree, failed, want); d == nil || !strings.Contains(d.What, "error 1005; on the reference with success") {
		t.Errorf("got %+v", d)
	}
}

// A case that executes what backends may do differently proves nothing about a backend.
func TestADifferentEndingNamesWhatTheDriverSays(t *testing.T) {
	failed := &engine.Error{Code: engine.CodeKernelCompileFailed, Op: "compile", Err: errors.New("line 3:\n  error: " + strings.Repeat("x", 1000))}
	d := compare(&Case{}, nil, outcome{err: failed}, outcome{})
	if d == nil || !strings.Contains(d.What, "on the reference with success: compile: ") || !strings.Contains(d.What, "line 3: error: xxx") || !strings.HasSuffix(d.What, "…") || len(d.What) > 600 {
		t.Errorf("%v", d)
	}
}

func TestRunRefusesUndefinedOperations(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{})
	r, err := NewRunner(b)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, statement := range map[string]string{"write": "v[v[0] + 9] = 1;", "read": "v[0] = v[v[0] - 1];"} {
		c := &Case{Name: name, Grid: [3]uint32{1, 1, 1}, Buffers: []Buffer{{Binding: 0, Words: make([]uint32, 4)}},
			Text: "#version 450\nlayout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer B { int v[]; };\nvoid main() { " + statement + " }\n"}
		if _, err := r.Run(t.Context(), c); !errors.Is(err, ErrCase) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Run(t.Context(), &Case{Name: "malformed", Text: "#version 450\n"}); !errors.Is(err, ErrCase) {
		t.Errorf("malformed: %v", err)
	}
}

// A kernel that fails in the same way on both sides has compared nothing.
func TestRunRefusesKernelsThatBothSidesRefuse(t *testing.T) {
	r, err := NewRunner(backendtest.Reference(t, reference.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := &Case{Name: "unknown", Text: addKernel, Grid: [3]uint32{1, 1, 1},
		Buffers: []Buffer{{Binding: 0, Words: make([]uint32, 16)}, {Binding: 1, Words: make([]uint32, 8)}, {Binding: 7, Words: make([]uint32, 4)}}}
	if _, err := r.Run(t.Context(), c); !errors.Is(err, ErrCase) {
		t.Errorf("it runs: %v", err)
	}
	c.MayFail = true
	if d, err := r.Run(t.Context(), c); err != nil || d != nil {
		t.Errorf("it may fail: %v, %v", d, err)
	}
}
