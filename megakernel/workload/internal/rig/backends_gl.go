//go:build cgo && egl

package rig

import (
	"testing"

	"vyretop/engine"
	"vyretop/gl"
)

func init() {
	Backends["gl"] = func(t testing.TB) engine.Backend {
		b, err := gl.Open(t.Context(), gl.Options{Device: gl.AutoDevice})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
		return b
	}
}
