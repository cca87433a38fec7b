//go:build cgo && egl

package builtin_test

import (
	"testing"

	"vyretop/engine"
	"vyretop/gl"
)

func init() {
	backends["gl"] = func(t testing.TB) engine.Backend {
		b, err := gl.Open(t.Context(), gl.Options{Device: gl.AutoDevice})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
}
