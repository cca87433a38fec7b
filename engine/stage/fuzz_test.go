package stage_test

import (
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/stage"
)

// FuzzBuild divides any text: it ends, without a panic, and keeps the lines.
func FuzzBuild(f *testing.F) {
	for _, text := range kernels {
		f.Add(text, uint8(3))
	}
	for _, text := range []string{"", "void main(", "void main() {", "void main() { for (;;", "void main() { do } while (", "#\\", "/*", "//", "void main()\x00{}\xff{"} {
		f.Add(text, uint8(7))
	}
	f.Fuzz(func(t *testing.T, text string, options uint8) {
		p := &engine.Program{Name: "fuzz", Text: text, WorkgroupSize: [3]uint32{1, 1, 1}}
		s, err := stage.Build(p, stage.Options{GridBarriers: true, Stop: options&1 != 0, Workers: options&2 != 0, GuardLoops: options&4 != 0})
		if err != nil {
			return
		}
		for _, part := range s.Parts {
			if strings.Count(part.Text, "\n") != strings.Count(text, "\n") {
				t.Errorf("%q became %q", text, part.Text)
			}
		}
	})
}
