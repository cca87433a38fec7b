package conformance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/conformance"
	"vyretop/engine/reference"
)

// foundKernels reads the kernels that once showed a difference.
func foundKernels(t *testing.T) []conformance.Case {
	t.Helper()
	files, err := filepath.Glob("testdata/found/*.comp")
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels: %v", err)
	}
	var list []conformance.Case
	for i, name := range files {
		if want := fmt.Sprintf("%04d.comp", i+1); filepath.Base(name) != want {
			t.Errorf("%s should be called %s", name, want)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c, err := conformance.Parse(name, string(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *c)
	}
	return list
}

func checkFound(t *testing.T, b engine.Backend) {
	r, err := conformance.NewRunner(b)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cert := r.NewCertificate("test", 0)
	list := foundKernels(t)
	for i := range list {
		list[i].Config.Timeout = 5 * time.Minute // a driver that compiles in the dispatch takes long on a busy host
	}
	if err := r.Check(t.Context(), list, cert); err != nil {
		t.Fatal(err)
	}
	for _, f := range cert.Differences {
		t.Errorf("%s: %v", f.Case, f.Difference)
	}
}

func TestFoundKernelsOnTheReference(t *testing.T) {
	b := backendtest.Reference(t, reference.Options{Parallel: 2, TimeSlice: 3})
	checkFound(t, b)
}
