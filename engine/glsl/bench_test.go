package glsl

import (
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine/glsl/source"
)

// BenchmarkCompileCorpus reports how much source of whole kernels the front end compiles in a second, by processor time where the
// machine has other work, as it has one goroutine.
func BenchmarkCompileCorpus(b *testing.B) {
	names, err := filepath.Glob("testdata/accept/*.comp")
	if err != nil || len(names) == 0 {
		b.Fatalf("no kernels: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Compile(&source.File{Name: name, Text: string(text)}, Options{Options: corpusOptions}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
