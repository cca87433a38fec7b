package tree_test

import (
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

func vec(k tree.Kind, w int) *tree.Type { return tree.Vector(k, w) }

func structOf(types ...*tree.Type) *tree.Type {
	members := make([]tree.Member, len(types))
	for i, t := range types {
		members[i] = tree.Member{Name: string(rune('a' + i)), Type: t}
	}
	return tree.NewStruct("S", members, source.Pos{})
}

// The sizes, alignments and strides of GLSL 4.50 section 7.6.2.2, rules 1 to 9, as std430 has them.
func TestStd430Layout(t *testing.T) {
	f := tree.KindFloat
	for _, c := range []struct {
		t                   *tree.Type
		size, align, stride int
	}{
		{tree.Bool, 4, 4, 4}, {tree.Uint, 4, 4, 4},
		{vec(f, 2), 8, 8, 4}, {vec(f, 3), 12, 16, 4}, {vec(f, 4), 16, 16, 4},
		{tree.ArrayOf(tree.Float, 3), 12, 4, 4},
		{tree.ArrayOf(vec(f, 3), 2), 32, 16, 16},
		{tree.ArrayOf(tree.ArrayOf(vec(f, 2), 3), 2), 48, 8, 24},
		{tree.RuntimeArrayOf(vec(f, 3)), 0, 16, 16},
		{structOf(tree.Float), 4, 4, 4},
		{structOf(tree.Float, vec(f, 2)), 16, 8, 4},
		{structOf(vec(f, 3), tree.Float), 16, 16, 4},
		{structOf(tree.Float, vec(f, 3), tree.Float), 32, 16, 4},
		{tree.ArrayOf(structOf(tree.Float, vec(f, 2), tree.Float), 2), 48, 8, 24},
	} {
		if c.t.Size() != c.size || c.t.Align() != c.align || c.t.Stride() != c.stride {
			t.Errorf("%s: size %d align %d stride %d, want %d %d %d", c.t, c.t.Size(), c.t.Align(), c.t.Stride(), c.size, c.align, c.stride)
		}
	}
}

func TestMemberOffsets(t *testing.T) {
	s := structOf(tree.Float, vec(tree.KindUint, 3), tree.Bool, structOf(tree.Int, vec(tree.KindInt, 2)),
		tree.ArrayOf(tree.Int, 3), vec(tree.KindFloat, 2), tree.RuntimeArrayOf(tree.Uint)).Struct
	want := []int{0, 16, 28, 32, 48, 64, 72}
	for i, offset := range want {
		if got := s.Members[i].Offset; got != offset {
			t.Errorf("member %d is at %d, want %d", i, got, offset)
		}
	}
	if s.Size() != 80 || s.Align() != 16 {
		t.Errorf("size %d align %d, want 80 and 16", s.Size(), s.Align())
	}
}

// drawType draws a type of bounded depth.
func drawType(t *rapid.T, depth int) *tree.Type {
	switch kind := rapid.IntRange(0, 4).Draw(t, "class"); {
	case kind == 3 && depth > 0:
		return tree.ArrayOf(drawType(t, depth-1), rapid.IntRange(1, 4).Draw(t, "len"))
	case kind == 4 && depth > 0:
		n := rapid.IntRange(1, 4).Draw(t, "members")
		types := make([]*tree.Type, n)
		for i := range types {
			types[i] = drawType(t, depth-1)
		}
		return structOf(types...)
	default:
		k := tree.Kind(rapid.IntRange(int(tree.KindBool), int(tree.KindFloat)).Draw(t, "kind"))
		return vec(k, rapid.IntRange(1, 4).Draw(t, "width"))
	}
}

// In any layout members follow one another aligned and without overlap, and a value has no more
// components than words.
func TestLayoutIsSound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := structOf(drawType(t, 3), drawType(t, 3), drawType(t, 2))
		end := 0
		for _, m := range typ.Struct.Members {
			if m.Offset%m.Type.Align() != 0 || m.Offset < end || m.Offset-end >= 16 {
				t.Fatalf("%s at %d after %d, alignment %d", m.Type, m.Offset, end, m.Type.Align())
			}
			end = m.Offset + m.Type.Size()
		}
		if typ.Size() < end || typ.Size()%typ.Align() != 0 || typ.Components()*4 > typ.Size() {
			t.Fatalf("size %d, members end at %d, %d components", typ.Size(), end, typ.Components())
		}
	})
}

func TestTypeEquality(t *testing.T) {
	a, b := structOf(tree.Int), structOf(tree.Int)
	for _, c := range []struct {
		x, y *tree.Type
		want bool
	}{
		{tree.Int, vec(tree.KindInt, 1), true},
		{tree.Int, tree.Uint, false},
		{vec(tree.KindInt, 2), vec(tree.KindInt, 3), false},
		{tree.ArrayOf(tree.Int, 2), tree.ArrayOf(tree.Int, 2), true},
		{tree.ArrayOf(tree.Int, 2), tree.ArrayOf(tree.Int, 3), false},
		{tree.ArrayOf(tree.Int, 2), tree.RuntimeArrayOf(tree.Int), false},
		{a, b, false}, {a, a, true}, {tree.ArrayOf(a, 2), tree.ArrayOf(a, 2), true}, {tree.Void, tree.Void, true},
	} {
		if got := c.x.Equal(c.y); got != c.want {
			t.Errorf("%s = %s is %v", c.x, c.y, got)
		}
	}
}

func TestTypeNames(t *testing.T) {
	for want, typ := range map[string]*tree.Type{
		"uvec3": vec(tree.KindUint, 3), "bool": tree.Bool, "void": tree.Void, "vec2": vec(tree.KindFloat, 2),
		"int[2][3]": tree.ArrayOf(tree.ArrayOf(tree.Int, 3), 2), "float[]": tree.RuntimeArrayOf(tree.Float),
	} {
		if got := typ.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
