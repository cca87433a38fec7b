package fold_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/tree"
)

// word draws bits in which the interesting values are frequent.
func word(t *rapid.T, name string) uint32 {
	edges := []uint32{0, 1, 31, 32, 33, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00001, 1 << 31}
	return rapid.OneOf(rapid.Uint32(), rapid.SampledFrom(edges)).Draw(t, name)
}

// Integer arithmetic wraps: it is that of the integers modulo 2 to the 32.
func TestIntegerArithmeticIsModular(t *testing.T) {
	modulus := new(big.Int).Lsh(big.NewInt(1), 32)
	ops := map[tree.BinaryOp]func(z, x, y *big.Int) *big.Int{
		tree.Add: (*big.Int).Add, tree.Sub: (*big.Int).Sub, tree.Mul: (*big.Int).Mul,
		tree.BitAnd: (*big.Int).And, tree.BitOr: (*big.Int).Or, tree.BitXor: (*big.Int).Xor,
	}
	rapid.Check(t, func(t *rapid.T) {
		x, y := word(t, "x"), word(t, "y")
		for op, exact := range ops {
			want := exact(new(big.Int), big.NewInt(int64(x)), big.NewInt(int64(y)))
			want.Mod(want, modulus)
			for _, k := range []tree.Kind{tree.KindInt, tree.KindUint} {
				if got := fold.Binary(op, k, x, y); uint64(got) != want.Uint64() {
					t.Fatalf("%s: %d %s %d = %d, want %s", k, x, op, y, got, want)
				}
			}
		}
	})
}

// Quotient and remainder belong together, round toward zero, and are 0 for a divisor of 0.
func TestDivisionIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := word(t, "x"), word(t, "y")
		for _, k := range []tree.Kind{tree.KindInt, tree.KindUint} {
			q, r := fold.Binary(tree.Div, k, x, y), fold.Binary(tree.Mod, k, x, y)
			if y == 0 {
				if q != 0 || r != 0 {
					t.Fatalf("%s: %d by 0 gives %d and %d", k, x, q, r)
				}
				continue
			}
			if q*y+r != x {
				t.Fatalf("%s: %d by %d gives %d and %d", k, x, y, q, r)
			}
			if k == tree.KindInt && r != 0 && int32(r) < 0 != (int32(x) < 0) {
				t.Fatalf("%d %% %d = %d has the wrong sign", int32(x), int32(y), int32(r))
			}
		}
	})
}

func TestUndefinedGLSLIsDefined(t *testing.T) {
	const smallest = uint32(1) << 31
	minusOne := uint32(math.MaxUint32)
	for _, c := range []struct {
		name      string
		got, want uint32
	}{
		{"INT_MIN / -1", fold.Binary(tree.Div, tree.KindInt, smallest, minusOne), smallest},
		{"INT_MIN % -1", fold.Binary(tree.Mod, tree.KindInt, smallest, minusOne), 0},
		{"1 << 33", fold.Binary(tree.ShiftLeft, tree.KindInt, 1, 33), 2},
		{"-8 >> 1", fold.Binary(tree.ShiftRight, tree.KindInt, minusOne-7, 1), minusOne - 3},
		{"uint >> 63", fold.Binary(tree.ShiftRight, tree.KindUint, minusOne, 63), 1},
		{"int(NaN)", fold.Convert(tree.KindFloat, tree.KindInt, 0x7FC00000), 0},
		{"int(3e9)", fold.Convert(tree.KindFloat, tree.KindInt, math.Float32bits(3e9)), 0x7FFFFFFF},
		{"int(-3e9)", fold.Convert(tree.KindFloat, tree.KindInt, math.Float32bits(-3e9)), smallest},
		{"uint(-1.0)", fold.Convert(tree.KindFloat, tree.KindUint, math.Float32bits(-1)), 0},
		{"uint(1e10)", fold.Convert(tree.KindFloat, tree.KindUint, math.Float32bits(1e10)), minusOne},
		{"0.0 / 0.0", fold.Binary(tree.Div, tree.KindFloat, 0, 0), 0x7FC00000},
		{"-NaN", fold.Unary(tree.Neg, tree.KindFloat, 0x7FC00001), 0x7FC00000},
		{"sign(NaN)", call("sign", signature("sign", tree.KindFloat), 0xFFFFFFFF), 0x7FC00000},
		{"bool(-0.0)", fold.Convert(tree.KindFloat, tree.KindBool, smallest), 0},
		{"float(true)", fold.Convert(tree.KindBool, tree.KindFloat, 1), math.Float32bits(1)},
		{"-0.0 == 0.0", fold.Binary(tree.Equal, tree.KindFloat, smallest, 0), 1},
	} {
		if c.got != c.want {
			t.Errorf("%s = %#x, want %#x", c.name, c.got, c.want)
		}
	}
}

// Comparisons order ints and uints as Go does, and NaN as IEEE does.
func TestComparisons(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := word(t, "x"), word(t, "y")
		fx, fy := math.Float32frombits(x), math.Float32frombits(y)
		less := map[tree.Kind]bool{tree.KindInt: int32(x) < int32(y), tree.KindUint: x < y, tree.KindFloat: fx < fy}
		for k, want := range less {
			if got := fold.Binary(tree.Less, k, x, y) == 1; got != want {
				t.Fatalf("%s: %#x < %#x is %v", k, x, y, got)
			}
			if got := fold.Binary(tree.Greater, k, y, x) == 1; got != want {
				t.Fatalf("%s: %#x > %#x is %v", k, y, x, got)
			}
		}
		if got := fold.Binary(tree.LessEqual, tree.KindFloat, x, y) == 1; got != (fx <= fy) {
			t.Fatalf("%v <= %v is %v", fx, fy, got)
		}
	})
}

func call(name string, signature int, args ...uint32) uint32 {
	b := tree.LookupBuiltin(name)
	lists := make([][]uint32, len(args))
	for i := range args {
		lists[i] = args[i : i+1]
	}
	bits, ok := fold.Builtin(b, &b.Signatures[signature], lists)
	if !ok {
		panic("not folded: " + name)
	}
	return bits[0]
}

// signature finds the overload of a builtin whose first parameter is the scalar of kind k.
func signature(name string, k tree.Kind) int {
	b := tree.LookupBuiltin(name)
	for i := range b.Signatures {
		if b.Signatures[i].Params[0].Type == tree.Vector(k, 1) {
			return i
		}
	}
	panic("no overload of " + name)
}

func TestReductions(t *testing.T) {
	for _, c := range []struct {
		name string
		bits []uint32
		want uint32
	}{
		{"any", []uint32{0, 0}, 0}, {"any", []uint32{0, 1, 0}, 1}, {"any", []uint32{1, 1, 1, 1}, 1},
		{"all", []uint32{1, 1}, 1}, {"all", []uint32{1, 0, 1}, 0}, {"all", []uint32{0, 0, 0, 0}, 0},
	} {
		b := tree.LookupBuiltin(c.name)
		got, ok := fold.Builtin(b, &b.Signatures[0], [][]uint32{c.bits})
		if !ok || got[0] != c.want {
			t.Errorf("%s%v = %v, %v", c.name, c.bits, got, ok)
		}
	}
}

func TestBitFunctions(t *testing.T) {
	i, u := tree.KindInt, tree.KindUint
	for _, c := range []struct {
		name string
		kind tree.Kind
		args []uint32
		want uint32
	}{
		{"bitfieldExtract", u, []uint32{0xABCD, 4, 8}, 0xBC},
		{"bitfieldExtract", i, []uint32{0xF0, 4, 4}, 0xFFFFFFFF},
		{"bitfieldExtract", u, []uint32{0xFFFFFFFF, 28, 8}, 0xF},
		{"bitfieldExtract", u, []uint32{0xFFFFFFFF, 32, 1}, 0},
		{"bitfieldExtract", u, []uint32{0xFFFFFFFF, 0xFFFFFFFF, 4}, 0},
		{"bitfieldExtract", i, []uint32{0xFFFFFFFF, 0, 0}, 0},
		{"bitfieldInsert", u, []uint32{0xFFFF0000, 0xAB, 8, 8}, 0xFFFFAB00},
		{"bitfieldInsert", u, []uint32{0, 0xFFFFFFFF, 0, 32}, 0xFFFFFFFF},
		{"bitfieldInsert", u, []uint32{7, 0xFFFFFFFF, 33, 1}, 7},
		{"bitfieldReverse", u, []uint32{1}, 0x80000000},
		{"findMSB", i, []uint32{0xFFFFFFFF}, 0xFFFFFFFF},
		{"findMSB", i, []uint32{0xFFFFFFFE}, 0},
		{"findMSB", u, []uint32{0}, 0xFFFFFFFF},
		{"findLSB", u, []uint32{0}, 0xFFFFFFFF},
		{"findLSB", u, []uint32{0x80000000}, 31},
		{"abs", i, []uint32{0x80000000}, 0x80000000},
		{"sign", i, []uint32{0xFFFFFFF0}, 0xFFFFFFFF},
		{"min", u, []uint32{0xFFFFFFFF, 1}, 1},
		{"min", i, []uint32{0xFFFFFFFF, 1}, 0xFFFFFFFF},
		{"clamp", i, []uint32{9, 0, 4}, 4},
		{"min3", i, []uint32{9, 0xFFFFFFFF, 4}, 0xFFFFFFFF},
		{"mid3", i, []uint32{9, 0xFFFFFFFF, 4}, 4},
		{"mid3", u, []uint32{9, 0xFFFFFFFF, 4}, 9},
		{"mid3", u, []uint32{4, 9, 0xFFFFFFFF}, 9},
		{"max3", u, []uint32{9, 4, 0xFFFFFFFF}, 0xFFFFFFFF},
	} {
		if got := call(c.name, signature(c.name, c.kind), c.args...); got != c.want {
			t.Errorf("%s%#x as %s = %#x, want %#x", c.name, c.args, c.kind, got, c.want)
		}
	}
}

// What folds must be a function of its arguments alone.
func TestOnlyPureBuiltinsFold(t *testing.T) {
	folded := 0
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		s := &b.Signatures[0]
		args := make([][]uint32, len(s.Params))
		for j := range args {
			args[j] = make([]uint32, s.Params[j].Type.Components())
		}
		if _, ok := fold.Builtin(b, s, args); ok {
			folded++
			if b.Family == tree.FamilyAtomic || b.Family == tree.FamilyBarrier || b.Family == tree.FamilySubgroup {
				t.Errorf("%s folds", b.Name)
			}
		}
	}
	if folded < 50 {
		t.Errorf("only %d built-ins fold", folded)
	}
}
