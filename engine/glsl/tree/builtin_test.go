package tree

import "testing"

// Each row of the table must sit at its own ID: a forgotten row would leave a nameless builtin.
func TestBuiltinTableIsComplete(t *testing.T) {
	for i := range Builtins {
		b := &Builtins[i]
		if b.Name == "" || b.ID != BuiltinID(i) || len(b.Signatures) == 0 {
			t.Errorf("builtin %d is %+v", i, b)
		}
		if LookupBuiltin(b.Name) != b {
			t.Errorf("LookupBuiltin(%q) does not find the table's entry", b.Name)
		}
	}
}

func TestAtomicBuiltinsMapToTheirOperation(t *testing.T) {
	for op := AtomicAdd; op <= AtomicCompSwap; op++ {
		b := LookupBuiltin("atomic" + op.String())
		if b == nil {
			t.Fatalf("no builtin atomic%s", op)
		}
		if got, ok := b.Atomic(); !ok || got != op {
			t.Errorf("%s: Atomic() = %v, %v", b.Name, got, ok)
		}
	}
	if _, ok := LookupBuiltin("barrier").Atomic(); ok {
		t.Error("barrier claims to be an atomic")
	}
}

func TestSignaturesCoverEveryWidthOnce(t *testing.T) {
	for name, want := range map[string]int{"min": 6 * (4 + 3), "lessThan": 18, "barrier": 1, "atomicAdd": 6, "cross": 2, "matrixCompMult": 18, "floatBitsToInt": 4, "sin": 4} {
		if got := len(LookupBuiltin(name).Signatures); got != want {
			t.Errorf("%s has %d signatures, want %d", name, got, want)
		}
	}
}
