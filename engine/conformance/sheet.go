package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/tree"
)

// lanesPerGroup is the workgroup size of sheets.
const lanesPerGroup = 64

// untouched fills results before the kernel runs, so that a store into padding or beyond is seen.
const untouched = 0xA5A5A5A5

// sheet is a kernel in which each invocation applies one operation to a row of operands.
type sheet struct {
	name     string
	operands []*tree.Type // of the variables a, b, c, …
	results  []*tree.Type // of the variables r0, r1, …
	body     string       // sets the results from the operands
	domain   domain       // nil: defined everywhere
}

func operand(i int) string { return string(rune('a' + i)) }

func result(i int) string { return fmt.Sprintf("r%d", i) }

// stored is the type that holds a value in a buffer: bools are uints there.
func stored(t *tree.Type) *tree.Type {
	if t.Kind == tree.KindBool {
		return t.WithKind(tree.KindUint)
	}
	return t
}

// text writes the kernel.
func (s *sheet) text() string {
	var in, out, load, store strings.Builder
	for i, t := range s.operands {
		fmt.Fprintf(&in, " %s %s;", stored(t), operand(i))
		fmt.Fprintf(&load, "  %s %s = %s(rows[i].%s);\n", t, operand(i), t, operand(i))
	}
	for i, t := range s.results {
		fmt.Fprintf(&out, " %s %s;", stored(t), result(i))
		fmt.Fprintf(&load, "  %s %s = %s(0);\n", t, result(i), t)
		fmt.Fprintf(&store, "  results[i].%s = %s(%s);\n", result(i), stored(t), result(i))
	}
	return fmt.Sprintf(`%slayout(local_size_x = %d) in;
struct Operands {%s };
struct Results {%s };
layout(std430, binding = 0) readonly buffer In { Operands rows[]; };
layout(std430, binding = 1) writeonly buffer Out { Results results[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
%s  %s
%s}
`, header, lanesPerGroup, &in, &out, &load, s.body, &store)
}

// rows is how many rows of operands a sheet gets: enough for all pairs of special values.
func (s *sheet) rows() int {
	if len(s.operands) < 2 {
		return 4 * lanesPerGroup
	}
	return 16 * lanesPerGroup
}

// make lays the operands out and returns the case.
func (s *sheet) make(r *rand.Rand) Case {
	n := s.rows()
	return Case{
		Name: s.name, Text: s.text(), Grid: [3]uint32{uint32(n / lanesPerGroup), 1, 1},
		Buffers: []Buffer{
			{Binding: 0, Words: s.fill(n, r)},
			{Binding: 1, Words: filled(n*structWords(s.results), untouched)},
		},
	}
}

// fill makes n rows of operands in std430 layout.
func (s *sheet) fill(n int, r *rand.Rand) []uint32 {
	layout := structOf(s.operands)
	stride := structWords(s.operands)
	words := make([]uint32, n*stride)
	pick := newPicker(s.operands, r)
	for row := range n {
		values := pick.row(row)
		if s.domain != nil {
			s.domain.apply(values)
		}
		for i, v := range values {
			copy(words[row*stride+layout.Members[i].Offset/4:], fold.Split(s.operands[i].Kind, v))
		}
	}
	return words
}

func filled(n int, w uint32) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = w
	}
	return words
}

// structOf lays values out as the members of a structure in a buffer.
func structOf(types []*tree.Type) *tree.Struct {
	var members []tree.Member
	for i, t := range types {
		members = append(members, tree.Member{Name: operand(i), Type: stored(t)})
	}
	return tree.NewStruct("Row", members, noPos).Struct
}

func structWords(types []*tree.Type) int { return structOf(types).Size() / 4 }
