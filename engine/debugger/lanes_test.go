package debugger

import (
	"slices"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

const lanesText = `#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
struct Pair { uint lane; uint same; };
void main() {
    Pair p = Pair(gl_LocalInvocationID.x, 7u);
    uint twice = 2u * 3u;
    v[gl_LocalInvocationID.x] = p.lane + twice;
}
`

// TestLanesListMembersOfStructs: a struct that differs in one member was printed whole for every lane.
func TestLanesListMembersOfStructs(t *testing.T) {
	for _, alone := range []bool{false, true} {
		p, _, err := engine.CompileProgram("lanes", &source.File{Name: "lanes.comp", Text: lanesText}, glsl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := Open(Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 4)}, Lane: 2, Alone: alone})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Until("lanes.comp", 8, Forward); err != nil {
			t.Fatal(err)
		}
		got, err := s.Lanes(nil)
		if err != nil {
			t.Fatal(err)
		}
		if alone {
			if !slices.Equal(got.Lanes, []int{2}) || len(got.Active) != 4 || len(got.Columns) != 2 || got.Columns[0].Values[0] != "Pair{lane=2, same=7}" {
				t.Errorf("of one lane: %+v", got)
			}
			continue
		}
		want := []Column{{"p.lane", []string{"0", "1", "2", "3"}}, {"p.same", []string{"7", "7", "7", "7"}}, {"twice", []string{"6", "6", "6", "6"}}}
		if len(got.Columns) != len(want) || !slices.Equal(got.Lanes, []int{0, 1, 2, 3}) {
			t.Fatalf("columns %+v", got)
		}
		for i, c := range got.Columns {
			if c.Expr != want[i].Expr || !slices.Equal(c.Values, want[i].Values) || c.Uniform() == (i == 0) {
				t.Errorf("column %+v, want %+v", c, want[i])
			}
		}
		if s.lane != 2 {
			t.Errorf("lane %d is selected", s.lane)
		}
	}
}
