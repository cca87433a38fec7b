package glsl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

var corpusOptions = preprocess.Options{Resolver: preprocess.Dirs{Search: []string{"testdata/include"}}}

func corpus(t *testing.T, dir string) map[string]*source.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", dir, "*.comp"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no kernels in %s: %v", dir, err)
	}
	files := map[string]*source.File{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = &source.File{Name: name, Text: string(data)}
	}
	return files
}

// Whole kernels in the style of real ones compile without warnings, keep the tree's promises, and
// their emitted text is accepted by glslang: plain, and with guards in every loop.
func TestCorpusAccept(t *testing.T) {
	guarded := corpusOptions
	guarded.GuardLoops = func(string) bool { return true }
	for name, f := range corpus(t, "accept") {
		t.Run(name, func(t *testing.T) {
			tick := "#line 1\n"
			withTick := *f
			head, body, _ := strings.Cut(f.Text, "\n")
			withTick.Text = head + "\n#include \"tick.glsl\"\n" + tick + body
			acceptKernel(t, f, Options{Options: corpusOptions})
			acceptKernel(t, &withTick, Options{Options: guarded})
		})
	}
}

func acceptKernel(t *testing.T, f *source.File, o Options) {
	t.Helper()
	u, err := Compile(f, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Warnings) > 0 {
		t.Errorf("warnings: %v", u.Warnings)
	}
	if err := verify(u.Program); err != nil {
		t.Error(err)
	}
	if verdict := oracle(t, []string{u.Text})[0]; verdict != "" {
		t.Errorf("the oracle rejects it: %s\n%s", verdict, u.Text)
	}
}

// Broken kernels give exactly the diagnostics in the .errors file beside them: one for each
// mistake, and none that only follows from another. Only graphics.comp is fit for a driver.
func TestCorpusReject(t *testing.T) {
	for name, f := range corpus(t, "reject") {
		t.Run(name, func(t *testing.T) {
			u, err := Compile(f, Options{Options: corpusOptions})
			var ds source.Diagnostics
			if !errors.As(err, &ds) {
				t.Fatalf("err = %v, want diagnostics", err)
			}
			golden(t, strings.TrimSuffix(f.Name, ".comp")+".errors", ds.Error()+"\n")
			verdict := oracle(t, []string{f.Text})[0]
			if (u != nil) != (verdict == "") {
				t.Errorf("usable by a driver: %v; the oracle says %q", u != nil, verdict)
			}
		})
	}
}

// golden compares with a file; VYRETOP_REWRITE=1 writes it instead.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("VYRETOP_REWRITE") != "" {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s differs; VYRETOP_REWRITE=1 rewrites it. got:\n%s", name, got)
	}
}
