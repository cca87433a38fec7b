package preprocess_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
)

func TestDirsLookInOrder(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	kernel := write("kernels/k.comp", "")
	beside := write("kernels/both.glsl", "beside")
	write("lib/both.glsl", "searched")
	searched := write("lib/only.glsl", "searched")
	write("kernels/vyretop/log.glsl", "not this one")
	dirs := preprocess.Dirs{
		Embedded: fstest.MapFS{
			"vyretop/log.glsl":   {Data: []byte("log")},
			"vyretop/other.glsl": {Data: []byte("other")},
			"kernels/only.glsl":  {Data: []byte("never beside a file on disk")},
		},
		Search: []string{filepath.Join(root, "lib")},
	}
	tests := []struct{ name, from, want, text string }{
		{"vyretop/log.glsl", kernel, "vyretop/log.glsl", "log"},
		{"./vyretop/log.glsl", kernel, "vyretop/log.glsl", "log"},
		{"other.glsl", "vyretop/log.glsl", "vyretop/other.glsl", "other"},
		{"both.glsl", kernel, beside, "beside"},
		{"../kernels/both.glsl", kernel, beside, "beside"},
		{"only.glsl", kernel, searched, "searched"},
		{"only.glsl", "vyretop/log.glsl", searched, "searched"},
		{searched, kernel, searched, "searched"},
	}
	for _, tt := range tests {
		f, err := dirs.Resolve(tt.name, tt.from)
		if err != nil {
			t.Errorf("Resolve(%q, %q): %v", tt.name, tt.from, err)
			continue
		}
		if f.Name != tt.want || f.Text != tt.text {
			t.Errorf("Resolve(%q, %q) = %q with %q, want %q with %q", tt.name, tt.from, f.Name, f.Text, tt.want, tt.text)
		}
	}
}

func TestDirsErrorsNameThePlaces(t *testing.T) {
	root := t.TempDir()
	dirs := preprocess.Dirs{Embedded: fstest.MapFS{}, Search: []string{filepath.Join(root, "lib")}}
	_, err := dirs.Resolve("x.glsl", filepath.Join(root, "k.comp"))
	if !errors.Is(err, preprocess.ErrNotFound) {
		t.Fatalf("Resolve gives %v, want an ErrNotFound", err)
	}
	want := []string{"embedded x.glsl", filepath.Join(root, "x.glsl"), filepath.Join(root, "lib", "x.glsl")}
	if text := strings.Join(want, ", "); !strings.Contains(err.Error(), "(looked at "+text+")") {
		t.Errorf("%v, want the places %s", err, text)
	}
}

func TestDirsRefuseWhatIsNoTextFile(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	large, err := os.Create(filepath.Join(root, "large"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(large.Truncate(1<<30), large.Close()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"folder", "large", "nul\x00byte", "/dev/zero"} {
		_, err := preprocess.Dirs{}.Resolve(name, filepath.Join(root, "k.comp"))
		if !errors.Is(err, preprocess.ErrRead) {
			t.Errorf("Resolve(%q) gives %v, want an ErrRead", name, err)
		}
	}
}

// A resolver's error becomes a diagnostic at the #include, with a fix.
func TestIncludeErrorsAreDiagnostics(t *testing.T) {
	root := t.TempDir()
	f := &source.File{Name: filepath.Join(root, "k.comp"), Text: "\n  #include \".\"\n#include <gone.glsl>\n"}
	_, diags := preprocess.Run(f, preprocess.Options{Resolver: preprocess.Dirs{}})
	if len(diags) != 2 || diags[0].Pos.Line != 2 || diags[1].Pos.Line != 3 {
		t.Fatalf("diagnostics %v, want one for line 2 and one for line 3", diags)
	}
	for _, d := range diags {
		if d.Fix == "" || d.Construct != "#include" {
			t.Errorf("%v: want construct #include and a fix", d)
		}
	}
	_, diags = preprocess.Run(f, preprocess.Options{})
	if len(diags) != 2 {
		t.Errorf("without a resolver: %v, want both includes refused", diags)
	}
}
