package profile_test

import (
	"bytes"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/profile"
	"vyretop/engine/reference"
)

const text = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
uint twice(uint x) {
    return x + x;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint sum = 0u;
    for (uint k = 0u; k < i; k++)
        sum += twice(k);
    if (i == 3u)
        data[8] = twice(sum);
    data[i] = sum;
}
`

// profiled runs the shader on that many workgroups.
func profiled(t *testing.T, workgroups uint32) *profile.Profile {
	t.Helper()
	return profiledText(t, text, workgroups, glsl.Options{})
}

func profiledText(t *testing.T, text string, workgroups uint32, o glsl.Options) *profile.Profile {
	t.Helper()
	counted := profile.New(profile.Roles{})
	b, err := reference.Open(reference.Options{Watcher: counted})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	program, _, err := engine.CompileProgram("sum.comp", &source.File{Name: "sum.comp", Text: text}, o)
	if err != nil {
		t.Fatal(err)
	}
	pipeline, err := b.Compile(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := b.Allocate(t.Context(), "data", 64, engine.DeviceLocal)
	if err != nil {
		t.Fatal(err)
	}
	dispatch, err := pipeline.Start(t.Context(), []engine.Binding{{Index: 0, Buffer: buffer}}, engine.DispatchConfig{Grid: [3]uint32{workgroups, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dispatch.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	return counted.Profile()
}

// lineOf is the row of the line that has some text.
func lineOf(t *testing.T, p *profile.Profile, part string) profile.Row {
	t.Helper()
	n := strings.Count(text[:strings.Index(text, part)], "\n") + 1
	for _, r := range p.Lines() {
		if r.Line == n {
			return r
		}
	}
	t.Fatalf("line %d (%s) has executed nothing", n, part)
	return profile.Row{}
}

// TestLinesCountLanesAndWords: what diverges, calls, and accesses buffers.
func TestLinesCountLanesAndWords(t *testing.T) {
	p := profiled(t, 1)
	for part, want := range map[string]struct {
		active float64
		words  uint64
	}{
		"uint sum = 0u":  {active: 8},
		"sum += twice":   {active: 4}, // 7 rounds with 7, 6, ... 1 lanes
		"data[8] =":      {active: 1, words: 1},
		"data[i] = sum;": {active: 8, words: 8},
	} {
		if r := lineOf(t, p, part); r.Active() != want.active || r.Words != want.words || r.Steps == 0 {
			t.Errorf("%s: %+v, %g lanes active; want %+v", part, r.Counts, r.Active(), want)
		}
	}
	if body, call := lineOf(t, p, "return x + x"), lineOf(t, p, "sum += twice"); call.Cumulative <= call.Steps || call.Cumulative >= call.Steps+body.Steps {
		t.Errorf("the line with the call has %d steps, %d with what it calls; the function has %d, some of them of another line", call.Steps, call.Cumulative, body.Steps)
	}
}

// loops has loops of all kinds, with conditions that need a branch and without, and returns that leave a merge no lane before it.
const loops = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
uint vt_left = 1000u;
bool vt_tick() {
    if (vt_left == 0u) {
        return false;
    }
    vt_left--;
    return true;
}
uint sum(uint i) {
    uint n = 0u;
    while (n < i) {
        n++;
    }
    while (true) {
        if (n > 9u) break;
        n++;
    }
    for (;;) {
        if (n > 19u) break;
        n++;
    }
    for (uint k = 0u; k < i && data[k] < 100u; k++) {
        n += k;
    }
    do {
        n--;
    } while (n > 5u);
    if (i < 4u) {
        return n;
    } else {
        return n + 1u;
    }
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    data[i] = sum(i);
}
`

// TestNoLineHasLessThanOneLane: a step that brings lanes together counts those; the mean of a line was below 1 otherwise.
func TestNoLineHasLessThanOneLane(t *testing.T) {
	for _, r := range profiledText(t, loops, 1, glsl.Options{}).Lines() {
		if r.Steps > 0 && r.Active() < 1 {
			t.Errorf("line %d: %g lanes active", r.Line, r.Active())
		}
	}
}

// TestGuardsCountForNoLine: the guards that a resident kernel has in its loops are counted apart, so that each line of a
// handler takes the steps of the same line in a shader.
func TestGuardsCountForNoLine(t *testing.T) {
	plain := profiledText(t, loops, 1, glsl.Options{})
	guarded := profiledText(t, loops, 1, glsl.Options{Options: preprocess.Options{GuardLoops: func(string) bool { return true }}})
	if plain.Kernel.Steps != 0 || guarded.Kernel.Steps == 0 {
		t.Errorf("guards took %d steps, %d without guards", guarded.Kernel.Steps, plain.Kernel.Steps)
	}
	want := map[int]profile.Counts{}
	for _, r := range plain.Lines() {
		want[r.Line] = r.Counts
	}
	got := map[int]profile.Counts{}
	for _, r := range guarded.Lines() {
		got[r.Line] = r.Counts
	}
	for line := range strings.Count(loops, "\n") {
		if got[line] != want[line] {
			t.Errorf("line %d: %+v with guards, %+v without: %s", line, got[line], want[line], strings.Split(loops, "\n")[line-1])
		}
	}
}

// TestTablesAddUp: each step is of one line, of one function and of one handler.
func TestTablesAddUp(t *testing.T) {
	p := profiled(t, 3)
	sum := func(rows []profile.Row) (n profile.Counts) {
		for _, r := range rows {
			n.Steps, n.Lanes, n.Words = n.Steps+r.Steps, n.Lanes+r.Lanes, n.Words+r.Words
		}
		return n
	}
	total := p.Total()
	if total.Words != 3*8+1 || total.Steps == 0 || p.Kernel != (profile.Counts{}) || p.Width != 8 {
		t.Fatalf("%+v of %d lanes, kernel %+v", total, p.Width, p.Kernel)
	}
	for name, rows := range map[string][]profile.Row{"lines": p.Lines(), "functions": p.Functions(), "handlers": p.Handlers()} {
		if got := sum(rows); got != total {
			t.Errorf("%s add up to %+v, not %+v", name, got, total)
		}
	}
	if f := p.Functions(); len(f) != 2 || f[0].Func != "main" || f[0].Cumulative != total.Steps || f[1].Func != "twice" || f[1].Cumulative != f[1].Steps {
		t.Errorf("%+v", f)
	}
}

// TestPprofReadsTheProfile: the file has all steps, with their stacks.
func TestPprofReadsTheProfile(t *testing.T) {
	p := profiled(t, 2)
	var file bytes.Buffer
	if err := p.WritePprof(&file); err != nil {
		t.Fatal(err)
	}
	read, err := pprof.Parse(&file)
	if err != nil {
		t.Fatal(err)
	}
	var got profile.Counts
	lines := map[string]bool{}
	for _, s := range read.Sample {
		got.Steps, got.Lanes, got.Words = got.Steps+uint64(s.Value[0]), got.Lanes+uint64(s.Value[1]), got.Words+uint64(s.Value[2])
		lines[s.Location[0].Line[0].Function.Name] = true
		if root := s.Location[len(s.Location)-1].Line[0].Function; root.Name != "main" || root.Filename != "sum.comp" {
			t.Errorf("a stack begins in %+v", root)
		}
	}
	if got != p.Total() || !lines["main"] || !lines["twice"] {
		t.Errorf("%+v, want %+v; functions %v", got, p.Total(), lines)
	}
}
