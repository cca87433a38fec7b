//go:build !cgo || !egl

package gl

import (
	"context"
	"io"

	"vyretop/engine"
)

// Backend is never made in a build without OpenGL; the type lets callers compile.
type Backend struct{ engine.Backend }

// Messages returns nothing in a build without OpenGL.
func (*Backend) Messages() (kept []Message, dropped int) { return nil, 0 }

func notBuilt(op string) error {
	return unsupported(op, "OpenGL", "this program was built without OpenGL",
		"build with `make build` (cgo and the tag egl), or use the reference backend")
}

// Open fails: this build has no OpenGL.
func Open(context.Context, Options) (*Backend, error) { return nil, notBuilt("open a device") }

// CompileTexts fails: this build has no OpenGL.
func CompileTexts(context.Context, Options, io.Reader) error { return notBuilt("compile") }

// Devices fails: this build has no OpenGL.
func Devices() ([]DeviceInfo, error) { return nil, notBuilt("list devices") }

// Doctor fails: this build has no OpenGL.
func Doctor(context.Context) (Report, error) { return Report{}, notBuilt("examine devices") }
