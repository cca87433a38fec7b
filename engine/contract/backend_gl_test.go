//go:build cgo && egl

package contract

import (
	"context"
	"testing"

	"vyretop/gl"
)

func init() { backends["gl"] = openGL }

func openGL(t testing.TB) device {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	b, err := gl.Open(ctx, gl.Options{Device: gl.AutoDevice, ProgramCache: t.TempDir()})
	check(t, err)
	return b
}
