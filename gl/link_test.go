//go:build cgo && egl && !glfw && linux

package gl

import (
	"debug/elf"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestBinaryLinksNoWindowSystem reads what this test's own binary is linked with: a build with the tag
// egl must start on a machine without X11.
func TestBinaryLinksNoWindowSystem(t *testing.T) {
	self, err := os.Executable()
	check(t, err)
	f, err := elf.Open(self)
	check(t, err)
	defer f.Close()
	libs, err := f.ImportedLibraries()
	check(t, err)
	allowed := []string{"libEGL.so", "libm.so", "libc.so", "libpthread.so", "libdl.so", "libresolv.so"}
	for _, lib := range libs {
		if !slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(lib, a) }) {
			t.Errorf("links %s", lib)
		}
	}
	if !slices.ContainsFunc(libs, func(l string) bool { return strings.HasPrefix(l, "libEGL.so") }) {
		t.Errorf("does not link libEGL: %v", libs)
	}
}
