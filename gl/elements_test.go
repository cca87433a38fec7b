//go:build cgo && egl

package gl

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine/conformance"
)

// A driver that goes wrong with elements of 64 bits of variables gets a text without an index that is not constant: with it, too, every
// access is what it is on the reference backend.
func TestElementsAreComparedForADriverThatMixesThemUp(t *testing.T) {
	files, err := filepath.Glob("../engine/conformance/kernels/wide*.comp")
	check(t, err)
	b := testBackend(t)
	b.float.indexed, b.float.elements = true, false
	r, err := conformance.NewRunner(b)
	check(t, err)
	defer func() { check(t, r.Close()) }()
	cert := r.NewCertificate("test", 0)
	var list []conformance.Case
	for _, name := range files {
		text, err := os.ReadFile(name)
		check(t, err)
		c, err := conformance.Parse(name, string(text))
		check(t, err)
		c.Config.Timeout = 5 * time.Minute // a driver that compiles in the dispatch takes long on a busy host
		list = append(list, *c)
	}
	check(t, r.Check(t.Context(), list, cert))
	for _, f := range cert.Differences {
		t.Errorf("%s: %v", f.Case, f.Difference)
	}
	if cert.Cases != len(files) || len(files) < 2 {
		t.Errorf("%d cases of %d files", cert.Cases, len(files))
	}
}
