//go:build cgo && egl

package gl

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/conformance"
)

// A driver that goes wrong with elements of 64 bits of variables gets a text without an index that is not constant: with it, too, every
// access is what it is on the reference backend.
func TestElementsAreComparedForADriverThatMixesThemUp(t *testing.T) {
	files, err := filepath.Glob("../engine/conformance/kernels/wide*.comp")
	check(t, err)
	for _, n := range []string{"0066", "0067", "0069", "0070"} { // of shared memory
		files = append(files, "../engine/conformance/testdata/found/"+n+".comp")
	}
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
	if cert.Cases != len(files) || len(files) < 7 {
		t.Errorf("%d cases of %d files", cert.Cases, len(files))
	}
}

// A driver that gives a structure the layout of the first of two blocks would be wrong in silence: the program is refused there.
func TestAStructureWithMatricesInBothOrdersIsRefusedWhereTheDriverMixesThemUp(t *testing.T) {
	const text = `#version 450
layout(local_size_x = 1) in;
struct Turn { mat2x3 m; float f; };
layout(std430, row_major, binding = 0) buffer Rows { Turn a; };
layout(std430, binding = 1) buffer Columns { Turn b[2]; };
void main() { b[1].m = a.m; }
`
	p, err := engine.CompileText("mixed.comp", text)
	check(t, err)
	b := testBackend(t)
	for _, trusted := range []bool{true, false} {
		b.float.indexed, b.float.elements = true, trusted
		_, err = b.suited(t.Context(), "compile", p, 0)
		var e *engine.Error
		if refused := errors.As(err, &e) && e.Code == engine.CodeUnsupportedFeature; refused == trusted || trusted && err != nil {
			t.Errorf("with a trusted driver %v: %v", trusted, err)
		}
	}
}
