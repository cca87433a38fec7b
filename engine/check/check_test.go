package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
)

// TestCorpus: kernels with a mistake are found out at the line that says `// finds: KIND`, their mended twins have none,
// and every kind has a kernel.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/*.comp")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	missing := slices.Clone(Kinds)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".comp"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := wanted(string(text))
			if got := found(t, file, string(text)); !slices.Equal(got, want) {
				t.Errorf("found %q, want %q", got, want)
			}
			missing = slices.DeleteFunc(missing, func(k Kind) bool {
				return slices.ContainsFunc(want, func(w string) bool { return strings.HasPrefix(w, string(k)+" ") })
			})
		})
	}
	if len(missing) > 0 {
		t.Errorf("no kernel has a mistake of kind %v", missing)
	}
}

// wanted are the kinds and lines that a kernel's comments name, in order of lines.
func wanted(text string) (list []string) {
	for i, line := range strings.Split(text, "\n") {
		if _, kind, ok := strings.Cut(line, "// finds: "); ok {
			list = append(list, fmt.Sprintf("%s line %d", kind, i+1))
		}
	}
	return list
}

func found(t *testing.T, file, text string) (list []string) {
	t.Helper()
	p, _, err := engine.CompileProgram(file, &source.File{Name: file, Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target := Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 64)}, Budget: 10000}
	if _, err := fmt.Sscanf(text, "// grid: %d", &target.Grid[0]); err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%s line %d", f.Kind, f.Access.Stack[0].Line))
	}
	return list
}
