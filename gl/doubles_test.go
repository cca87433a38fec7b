//go:build cgo && egl

package gl

import (
	"errors"
	"testing"

	"vyretop/engine"
)

// TestIntegersOf64BitsNeedTheirExtension: a device without the extension says so, and one with it or a kernel that only enables it is
// taken.
func TestIntegersOf64BitsNeedTheirExtension(t *testing.T) {
	const extension = "GL_ARB_gpu_shader_int64"
	const head = "#version 450\n#extension GL_ARB_gpu_shader_int64 : enable\nlayout(local_size_x = 1) in;\n"
	uses, err := engine.CompileText("uses", head+"void main() { int64_t n = 1l; }\n")
	if err != nil {
		t.Fatal(err)
	}
	enables, err := engine.CompileText("enables", head+"void main() {}\n")
	if err != nil {
		t.Fatal(err)
	}
	without, with := &Backend{}, &Backend{has: map[string]bool{extension: true}}
	var e *engine.Error
	if err := checkNeeds(without, "compile", uses); !errors.As(err, &e) || e.Code != engine.CodeUnsupportedFeature || e.Feature != extension {
		t.Errorf("error %v", err)
	}
	if err := errors.Join(checkNeeds(without, "compile", enables), checkNeeds(with, "compile", uses)); err != nil {
		t.Error(err)
	}
}
