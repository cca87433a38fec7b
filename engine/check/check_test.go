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

// TestReadsAndWritesOfALineAreTwoFindings: an access out of range does not hide one of the other direction on its line.
func TestReadsAndWritesOfALineAreTwoFindings(t *testing.T) {
	r := checked(t, "copy.comp", `// grid: 1
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[8];
void main() {
  uint i = gl_LocalInvocationIndex;
  s[i] = i;
  barrier();
  uint taken = s[i]; barrier(); s[i + 4u] = taken + s[i + 6u] * 0u;
}
`)
	var got []string
	for _, f := range r.Findings {
		if f.Kind == OutOfRange {
			got = append(got, fmt.Sprintf("%s, %d times", f.Text, f.Count))
		}
	}
	want := []string{"write out of range: index 8 of 8 elements, 4 times", "read out of range: index 8 of 8 elements, 6 times"}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

// TestCheckingGoesOnBehindABarrier: what comes behind one that not all invocations reach, in the same workgroup and in others, was not
// looked at. The report says what it is worth; a loop that does not end still ends the run, and the report says so.
func TestCheckingGoesOnBehindABarrier(t *testing.T) {
	const head = `// grid: 3
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex, g = gl_WorkGroupID.x;
  if (i < 2u) barrier();
`
	r := checked(t, "behind.comp", head+"  if (g == 2u) v[i] = 1u << (i + 32u);\n  if (g == 1u) v[9] = 7u / (i - i);\n}\n")
	var kinds []Kind
	for _, f := range r.Findings {
		kinds = append(kinds, f.Kind)
	}
	if kinds[0] != Divergence || !slices.Contains(kinds, Shift) || !slices.Contains(kinds, DivideByZero) {
		t.Errorf("found %v, want %v and what is behind it", kinds, Divergence)
	}
	if r.Passed != 3 || r.Findings[0].Count != 3 || r.Stopped {
		t.Errorf("%d barriers were passed, the finding counts %d, stopped %v", r.Passed, r.Findings[0].Count, r.Stopped)
	}
	if d := NewDocument("k", r); !strings.Contains(d.Incomplete, "as if they had") || d.CutShort {
		t.Errorf("the document says %q, cut short %v", d.Incomplete, d.CutShort)
	}
	r = checked(t, "loop.comp", head+"  while (v[8] == 0u) { v[9] = 1u; }\n}\n")
	if d := NewDocument("k", r); !r.Stopped || !strings.Contains(d.Incomplete, "the loop does not end") || !d.CutShort {
		t.Errorf("of an endless loop the document says %q, cut short %v", d.Incomplete, d.CutShort)
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
	for _, f := range checked(t, file, text).Findings {
		list = append(list, fmt.Sprintf("%s line %d", f.Kind, f.Access.Stack[0].Line))
	}
	return list
}

// checked runs a kernel under the checkers, on the grid that its first line gives. Of a buffer that its second line gives no word has a value.
func checked(t *testing.T, file, text string) Report {
	t.Helper()
	p, _, err := engine.CompileProgram(file, &source.File{Name: file, Text: text}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	target := Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 64)}, Budget: 10000}
	if _, err := fmt.Sscanf(text, "// grid: %d", &target.Grid[0]); err != nil {
		t.Fatal(err)
	}
	if _, after, ok := strings.Cut(text, "\n// undefined: "); ok {
		target.Undefined = make([]uint32, 1)
		if _, err := fmt.Sscan(after, &target.Undefined[0]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestImagesRaceByTexelAndSample: invocations that write one sample of a texel race, those that write others, or outside of the image,
// do not.
func TestImagesRaceByTexelAndSample(t *testing.T) {
	p, _, err := engine.CompileProgram("k", &source.File{Name: "k.comp", Text: `#version 450
layout(local_size_x = 2) in;
layout(binding = 0, rgba8) uniform image2DMS color;
layout(binding = 1, r32ui) uniform uimage3D volume;
void main() {
  int i = int(gl_LocalInvocationIndex);
  imageStore(color, ivec2(1, 0), i, vec4(i));
  imageStore(color, ivec2(9, 0), 0, vec4(i));
  imageStore(volume, ivec3(0, 0, i + 1), uvec4(i));
  imageStore(color, ivec2(0, 0), 1, vec4(i));
}
`}, glsl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	color, volume := make([]uint32, 4+6*4), make([]uint32, 4+4)
	copy(color, []uint32{2, 1, 1, 4})
	copy(volume, []uint32{1, 1, 2, 2})
	r, err := Run(t.Context(), Target{Program: p, Grid: [3]uint32{1, 1, 1}, Buffers: map[uint32][]uint32{0: color, 1: volume}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].Kind != Race || r.Findings[0].Access.Stack[0].Line != 10 {
		t.Errorf("found %v", r.Findings)
	}
}
