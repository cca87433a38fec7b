package fold_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/tree"
)

// matrixCall applies a function on matrices of floats.
func matrixCall(t *testing.T, name string, result *tree.Type, args ...[]float32) []float32 {
	t.Helper()
	b := tree.LookupBuiltin(name)
	for i := range b.Signatures {
		s := &b.Signatures[i]
		if !s.Result.Equal(result) || s.Params[0].Type.Components() != len(args[0]) {
			continue
		}
		words := make([][]uint32, len(args))
		for j := range args {
			words[j] = bitsOf(args[j])
		}
		out, ok := fold.Builtin(b, s, words)
		if !ok {
			t.Fatalf("%s does not fold", name)
		}
		return floatsOf(out)
	}
	t.Fatalf("%s has no overload that gives %s", name, result)
	return nil
}

func bitsOf(list []float32) []uint32 {
	out := make([]uint32, len(list))
	for i, f := range list {
		out[i] = math.Float32bits(f)
	}
	return out
}

func floatsOf(list []uint32) []float32 {
	out := make([]float32, len(list))
	for i, w := range list {
		out[i] = math.Float32frombits(w)
	}
	return out
}

// An inverse times its matrix is the identity, the determinant of a product the product of the determinants, and a
// transposed matrix has the components of the other at mirrored places.
func TestMatrixFunctionsAreWhatTheyAreCalled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 2; n <= 4; n++ {
		typ := tree.MatrixOf(n, n)
		for range 50 {
			m, k := make([]float32, n*n), make([]float32, n*n)
			for i := range m {
				m[i], k[i] = float32(r.IntN(7)-3), float32(r.IntN(7)-3)
			}
			for i := range n {
				m[i*n+i] += 12 // far from singular
			}
			product := floatsOf(fold.Matrix(tree.Mul, typ, typ, bitsOf(m), bitsOf(matrixCall(t, "inverse", typ, m))))
			for i, f := range product {
				want := 0.0
				if i%(n+1) == 0 {
					want = 1
				}
				if math.Abs(float64(f)-want) > 1e-5 {
					t.Fatalf("%v times its inverse has %v at %d", m, f, i)
				}
			}
			both := floatsOf(fold.Matrix(tree.Mul, typ, typ, bitsOf(m), bitsOf(k)))
			det := func(x []float32) float32 { return matrixCall(t, "determinant", tree.Float, x)[0] }
			if got, want := det(both), det(m)*det(k); math.Abs(float64(got-want)) > 1e-3*math.Abs(float64(want))+1 {
				t.Fatalf("the determinant of %v times %v is %v, want %v", m, k, got, want)
			}
			for i, f := range matrixCall(t, "transpose", typ, m) {
				if f != m[i%n*n+i/n] {
					t.Fatalf("transpose of %v has %v at %d", m, f, i)
				}
			}
		}
	}
}

// A ray along the normal comes back, one at 45 degrees leaves at a right angle, and one beyond the critical angle does not
// leave the medium.
func TestReflectAndRefract(t *testing.T) {
	v2 := tree.Vector(tree.KindFloat, 2)
	if got := matrixCall(t, "reflect", v2, []float32{1, -1}, []float32{0, 1}); got[0] != 1 || got[1] != 1 {
		t.Errorf("reflect gives %v", got)
	}
	if got := matrixCall(t, "refract", v2, []float32{0, -1}, []float32{0, 1}, []float32{1.5}); got[0] != 0 || got[1] != -1 {
		t.Errorf("refract straight ahead gives %v", got)
	}
	if got := matrixCall(t, "refract", v2, []float32{0.8, -0.6}, []float32{0, 1}, []float32{1.5}); got[0] != 0 || got[1] != 0 {
		t.Errorf("refract beyond the critical angle gives %v", got)
	}
	if got := matrixCall(t, "faceforward", v2, []float32{1, 2}, []float32{0, 1}, []float32{0, 1}); got[0] != -1 || got[1] != -2 {
		t.Errorf("faceforward gives %v", got)
	}
}
