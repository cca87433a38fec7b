//go:build cgo && egl

package bench

import (
	"context"
	"testing"

	"vyretop/engine"
	"vyretop/gl"
)

func init() {
	backends["gl"] = func(t testing.TB) engine.Backend {
		b, err := gl.Open(context.Background(), gl.Options{Device: gl.AutoDevice})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		return b
	}
}
