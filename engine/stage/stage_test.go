package stage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/engine/stage"
)

// runner runs programs on the reference backend, which knows grid barriers and serves as a device
// without them too.
type runner struct {
	t interface{ Fatal(args ...any) }
	b *reference.Backend
}

func newRunner(t testing.TB) *runner {
	b := backendtest.Reference(t, reference.Options{Seed: 1})
	return &runner{t, b}
}

func (r *runner) check(err error) {
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) buffer(words ...uint32) engine.Buffer {
	b, err := r.b.Allocate(context.Background(), "b", len(words), engine.DeviceLocal)
	r.check(err)
	r.check(b.Upload(context.Background(), 0, words))
	return b
}

func words(b engine.Buffer) []uint32 {
	w := make([]uint32, b.Size())
	if err := b.Download(context.Background(), 0, w); err != nil {
		panic("BUG: " + err.Error())
	}
	return w
}

// run dispatches a program on a row of workgroups.
func (r *runner) run(p *engine.Program, groups uint32, buffers map[uint32]engine.Buffer) {
	pipeline, err := r.b.Compile(context.Background(), p)
	r.check(err)
	var bindings []engine.Binding
	for i, b := range buffers {
		bindings = append(bindings, engine.Binding{Index: i, Buffer: b})
	}
	pending, err := pipeline.Start(context.Background(), bindings, engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}})
	r.check(err)
	_, err = pending.Wait(context.Background())
	r.check(err)
	r.check(pipeline.Close())
}

// parts compiles each part as a program of its own: what was generated is in the kernel language.
func (r *runner) parts(s *stage.Staged) []*engine.Program {
	var list []*engine.Program
	for _, part := range s.Parts {
		p, err := engine.CompileText(part.Name, part.Text)
		if err != nil || p.Tree == nil {
			r.t.Fatal(fmt.Sprintf("%v %v in\n%s", err, p, part.Text))
		}
		list = append(list, p)
	}
	return list
}

// native and staged run a program with one buffer at binding 0 and return what that holds then.
func (r *runner) native(p *engine.Program, groups uint32, size int) []uint32 {
	out := r.buffer(make([]uint32, size)...)
	r.run(p, groups, map[uint32]engine.Buffer{0: out})
	return words(out)
}

func (r *runner) staged(p *engine.Program, o stage.Options, groups uint32, size int, stopped uint32) (out, control []uint32) {
	s, err := stage.Build(p, o)
	r.check(err)
	buffers := map[uint32]engine.Buffer{0: r.buffer(make([]uint32, size)...)}
	if s.Spill >= 0 {
		garbage := slices.Repeat([]uint32{0xdeadbeef}, int(s.SpillWords(uint64(groups))))
		buffers[uint32(s.Spill)] = r.buffer(garbage...)
	}
	if s.Control >= 0 {
		buffers[uint32(s.Control)] = r.buffer(stopped, 0, groups, 1, 1, 0, stage.ProbeRounds)
		defer func() { control = append(words(buffers[uint32(s.Control)]), control...) }()
	}
	if o.Workers {
		buffers[uint32(s.Tickets)] = r.buffer(0)
		defer func() { control = append(control, words(buffers[uint32(s.Tickets)])...) }()
		groups = 2
	}
	for _, part := range r.parts(s) {
		r.run(part, groups, buffers)
	}
	return words(buffers[0]), nil
}

func compile(t interface{ Fatal(args ...any) }, text string) *engine.Program {
	p, err := engine.CompileText("test", "#version 450\nlayout(local_size_x = 4) in;\nlayout(std430, binding = 0) buffer Out { uint o[]; };\n"+text)
	if err != nil || p.Tree == nil {
		t.Fatal(fmt.Sprintf("%v %v in\n%s", err, p, text))
	}
	return p
}

var kernels = map[string]string{
	"nothing lives": "void main() { o[gl_GlobalInvocationID.x] = 1u; gridBarrier(); o[gl_GlobalInvocationID.x] += 2u; }",
	"on one line":   "uint twice(uint x) { return 2u * x; } void main() { uint i = gl_GlobalInvocationID.x; gridBarrier(); uint k = twice(i); gridBarrier(); o[i] = k; }",
	"every type": `struct Inner { bvec3 b; int n; };
struct Outer { Inner in_; float f[2]; };
void main() {
	uint i = gl_GlobalInvocationID.x;
	bool yes = (i & 1u) == 1u; int n = -int(i); float f = uintBitsToFloat(i * 77u + 0x3f800000u); vec4 v = vec4(f, uintBitsToFloat(i), f, 2.0); uvec2 u = uvec2(i, ~i);
	float grid[2][3]; grid[1][2] = f; Outer s; s.in_.b = bvec3(yes, !yes, true); s.in_.n = n; s.f[1] = v.y;
	gridBarrier();
	uint h = (yes ? 1u : 2u) + uint(n) + floatBitsToUint(f) + u.x + 3u * u.y;
	for (int k = 0; k < 4; k++) h = h * 31u + floatBitsToUint(v[k]);
	h += floatBitsToUint(grid[1][2]) + uint(s.in_.b.y) + uint(s.in_.n) + floatBitsToUint(s.f[1]);
	o[i] = h;
}`,
	"constants": `const uint more = 3u;
void main() {
	const uint n = 2u + more; const float half_ = 0.5; const ivec2 at = ivec2(-1, 7); uint a[n];
	a[n - 1u] = gl_GlobalInvocationID.x;
	gridBarrier();
	uint b[n + 1u]; b[n] = a[n - 1u];
	o[gl_GlobalInvocationID.x] = b[n] + floatBitsToUint(half_) + uint(at.y + at.x);
}`,
	"globals and shared": `uint calls = 7u; shared uint s[5]; shared struct Pair { uint a; float b; } pair[3]; shared bool flag;
uint f() { return ++calls; }
void main() {
	uint l = gl_LocalInvocationIndex; f(); s[l] = l; if (l == 3u) { s[4] = gl_WorkGroupID.x; pair[2].b = 2.5; flag = true; }
	gridBarrier();
	f(); uint x = s[3u - l] + s[4];
	gridBarrier();
	o[gl_GlobalInvocationID.x] = x + 10u * f() + floatBitsToUint(pair[2].b) + (flag ? 1000u : 0u);
}`,
	"returns": `void main() {
	uint i = gl_GlobalInvocationID.x; o[i] = 1u;
	if (i % 3u == 0u) return;
	gridBarrier();
	o[i] += 10u;
	if (i % 5u == 0u) return;
	gridBarrier();
	o[i] += 100u;
}`,
	"loops": `void main() {
	uint i = gl_GlobalInvocationID.x, n = 0u;
	for (uint k = 0u; k < i; k++) { n += k; }
	for (;;) { if (n > 40u) break; n += 7u; }
	gridBarrier();
	while (n > 3u) { n -= 3u; }
	do { n++; } while (n < 2u); for (uint k = 0u, m = 9u; k < m; k++) n += k;
	o[i] = n;
}`,
}

// TestPartsEqualNative divides kernels at their barriers, and expects what a native barrier gives.
func TestPartsEqualNative(t *testing.T) {
	r := newRunner(t)
	for name, text := range kernels {
		t.Run(name, func(t *testing.T) {
			r.t = t
			p := compile(t, text)
			for _, groups := range []uint32{1, 5} {
				want := r.native(p, groups, 4*int(groups))
				for _, o := range []stage.Options{{GridBarriers: true}, {GridBarriers: true, Stop: true}} {
					if got, _ := r.staged(p, o, groups, 4*int(groups), 0); !slices.Equal(got, want) {
						t.Errorf("%+v: got %v, want %v", o, got, want)
					}
				}
			}
		})
	}
}

// TestPartsKeepTheirLines: a driver's log names lines of the program's text.
func TestPartsKeepTheirLines(t *testing.T) {
	for name, text := range kernels {
		p := compile(t, text)
		s, err := stage.Build(p, stage.Options{GridBarriers: true, Stop: true})
		if err != nil {
			t.Fatal(err)
		}
		for k, part := range s.Parts {
			if got, want := strings.Count(part.Text, "\n"), strings.Count(p.Text, "\n"); got != want {
				t.Errorf("%s: part %d has %d lines, want %d", name, k, got, want)
			}
		}
	}
}

// TestStopWord: a dispatch that is told to stop does nothing more, one that is not counts its workgroups.
func TestStopWord(t *testing.T) {
	r := newRunner(t)
	p := compile(t, kernels["loops"])
	out, control := r.staged(p, stage.Options{GridBarriers: true, Stop: true}, 3, 12, 1)
	if slices.Max(out) != 0 || control[stage.ControlEnded] != 0 {
		t.Errorf("stopped: output %v, control %v", out, control)
	}
	_, control = r.staged(p, stage.Options{GridBarriers: true, Stop: true}, 3, 12, 0)
	if control[stage.ControlEnded] != 6 {
		t.Errorf("%d workgroups have ended, want 3 of 2 parts", control[stage.ControlEnded])
	}
}

// TestWorkersEqualTheGrid: two workers take all workgroups, which find everything as it is at the start.
func TestWorkersEqualTheGrid(t *testing.T) {
	r := newRunner(t)
	p := compile(t, `uint calls = 7u; uint none; uint lane = gl_LocalInvocationIndex; shared uint s[5]; uint f() { none += 2u; return calls++ + none; }
void main() {
	uint l = lane++, before = s[l];
	s[l] += l + 1u;
	barrier();
	if (gl_GlobalInvocationID.x == 6u) return;
	o[gl_GlobalInvocationID.x] = before + s[3u - l] + 100u * f() + 10000u * gl_WorkGroupID.x + 1000000u * gl_NumWorkGroups.x;
}`)
	want := r.native(p, 7, 28)
	for _, o := range []stage.Options{{Workers: true}, {Workers: true, Stop: true}} {
		got, control := r.staged(p, o, 7, 28, 0)
		ended := uint32(0) // is counted for the stop's sake
		if o.Stop {
			ended = 7
		}
		if !slices.Equal(got, want) || control[stage.ControlEnded] != ended || control[stage.ControlWords] != 7+2 {
			t.Errorf("%+v: got %v, want %v; control %v", o, got, want, control)
		}
	}
	if got, control := r.staged(p, stage.Options{Workers: true, Stop: true}, 7, 28, 1); slices.Max(got) != 0 || control[stage.ControlEnded] != 0 {
		t.Errorf("stopped: %v, control %v", got, control)
	}
	raw := *p
	raw.Tree = nil
	for name, p := range map[string]*engine.Program{"barrier": compile(t, kernels["nothing lives"]), "outside": &raw} {
		if _, err := stage.Build(p, stage.Options{GridBarriers: true, Workers: true}); !errors.Is(err, engine.ErrUnsupportedFeature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFirmLoops: every kind of loop gets a way out at its beginning, and computes the same.
func TestFirmLoops(t *testing.T) {
	r := newRunner(t)
	p := compile(t, `uint f(uint n) { do { n += 3u; if (n == 9u) continue; } while (n < 20u); return n; }
void main() {
	uint i = gl_GlobalInvocationID.x, n = f(i);
	for (uint k = 0u; k < i; k++) { n += k; }
	for (;;) { if (n > 90u) break; n += 7u; }
	while (n > 50u) n -= 3u;
	do n++; while (n < 55u);
	o[i] = n;
}`)
	want := r.native(p, 3, 12)
	for _, o := range []stage.Options{{GuardLoops: true}, {GuardLoops: true, Stop: true}, {GuardLoops: true, Workers: true}} {
		s, err := stage.Build(p, o)
		if err != nil {
			t.Fatal(err)
		}
		looks := strings.Count(s.Parts[0].Text, "vts_firm") // declared once; a do is a for in the text
		if o.Stop {
			looks = strings.Count(s.Parts[0].Text, "vts_go()")
		}
		if looks != 1+3+2 {
			t.Errorf("%+v: %d looks in\n%s", o, looks, s.Parts[0].Text)
		}
		if got, _ := r.staged(p, o, 3, 12, 0); !slices.Equal(got, want) {
			t.Errorf("%+v: got %v, want %v", o, got, want)
		}
	}
}

// TestLoopLimit: on a device that runs all loops to their end nothing is marked and the program computes the same; the
// probe loop asks for as many rounds as the host says, so one that gets fewer is marked with its number.
func TestLoopLimit(t *testing.T) {
	r := newRunner(t)
	p := compile(t, "void main() { uint i = gl_GlobalInvocationID.x; for (uint k = 0u; k < i; k++) o[i] += k; if (i == 3u) return; o[i]++; }")
	want := r.native(p, 3, 12)
	for _, o := range []stage.Options{{LoopLimit: true}, {LoopLimit: true, Stop: true, GuardLoops: true}, {LoopLimit: true, Workers: true}} {
		got, control := r.staged(p, o, 3, 12, 0)
		if !slices.Equal(got, want) || control[stage.ControlLimit] != 0 {
			t.Errorf("%+v: got %v, want %v; control %v", o, got, want, control)
		}
	}
	s, err := stage.Build(p, stage.Options{LoopLimit: true})
	r.check(err)
	broken := *s.Parts[0]
	broken.Text = strings.Replace(broken.Text, "vts_rounds_run++", "if (gl_GlobalInvocationID.x < 5u) vts_rounds_run++", 1)
	recompiled, err := engine.CompileText("broken", broken.Text)
	r.check(err)
	buffers := map[uint32]engine.Buffer{0: r.buffer(make([]uint32, 12)...), uint32(s.Control): r.buffer(0, 0, 3, 1, 1, 0, stage.ProbeRounds)}
	r.run(recompiled, 3, buffers)
	if got := words(buffers[uint32(s.Control)])[stage.ControlLimit]; got != ^uint32(5) {
		t.Errorf("marked %#x, want the complement of 5", got)
	}
}

// TestNothingToDo: a program without barriers is its own only part.
func TestNothingToDo(t *testing.T) {
	p := compile(t, "void main() { o[0] = 1u; }")
	s, err := stage.Build(p, stage.Options{GridBarriers: true})
	if err != nil || len(s.Parts) != 1 || s.Parts[0] != p || s.Spill >= 0 || s.Control >= 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestMainIsFoundInAnyText: comments, prototypes, macros and other functions do not hide it.
func TestMainIsFoundInAnyText(t *testing.T) {
	r := newRunner(t)
	for _, text := range []string{
		"void main();\nvoid mainly() { }\n/* void main() { */\nvoid main() { o[gl_GlobalInvocationID.x] = 1u; }",
		"#define BODY void main() { }\nvoid main(void) { o[gl_GlobalInvocationID.x] = 1u; } // void main() {",
	} {
		p := &engine.Program{Name: "raw", WorkgroupSize: [3]uint32{4, 1, 1}, Buffers: []engine.BufferSpec{{Name: "Out", MinWords: 1}},
			Text: "#version 450\nlayout(local_size_x = 4) in;\nlayout(std430, binding = 0) buffer Out { uint o[]; };\n" + text + "\n"}
		out, control := r.staged(p, stage.Options{Stop: true}, 2, 8, 0)
		if slices.Min(out) != 1 || control[stage.ControlEnded] != 2 {
			t.Errorf("%q: output %v, control %v", text, out, control)
		}
	}
}

// TestWhatCannotBeDivided names what is too much and how to change it.
func TestWhatCannotBeDivided(t *testing.T) {
	for name, text := range map[string]string{
		"too much lives": "void main() { uint a[2000]; a[gl_LocalInvocationIndex] = 1u; gridBarrier(); o[0] = a[3]; }",
		"local type":     "void main() { struct S { uint x; }; S s; s.x = 1u; gridBarrier(); o[0] = s.x; }",
	} {
		_, err := stage.Build(compile(t, text), stage.Options{GridBarriers: true})
		if !errors.Is(err, engine.ErrInvalidProgram) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRandomKernels divides kernels of random declarations, assignments and barriers.
func TestRandomKernels(t *testing.T) {
	r := newRunner(t)
	rapid.Check(t, func(t *rapid.T) {
		r.t = t
		p := compile(t, randomKernel(t))
		want := r.native(p, 3, 12)
		if got, _ := r.staged(p, stage.Options{GridBarriers: true}, 3, 12, 0); !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v of\n%s", got, want, p.Text)
		}
	})
}

// randomKernel declares variables, mixes them, and sometimes waits for the grid.
func randomKernel(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("uint g0 = 3u; shared uint s0[4];\nvoid main() {\n\tuint x0 = gl_GlobalInvocationID.x;\n")
	locals := 1
	for range rapid.IntRange(1, 14).Draw(t, "statements") {
		x := func() string { return fmt.Sprintf("x%d", rapid.IntRange(0, locals-1).Draw(t, "variable")) }
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0, 1:
			b.WriteString("\tgridBarrier();\n")
		case 2:
			fmt.Fprintf(&b, "\tuint x%d = %s * 3u + g0;\n", locals, x())
			locals++
		case 3:
			fmt.Fprintf(&b, "\t%s += %s ^ %s;\n", x(), x(), x())
		case 4:
			fmt.Fprintf(&b, "\tif ((%s & 1u) == 0u) { %s = %s + 5u; } else { g0 += 2u; }\n", x(), x(), x())
		case 5:
			fmt.Fprintf(&b, "\ts0[gl_LocalInvocationIndex] += %s; g0 ^= s0[gl_LocalInvocationIndex];\n", x())
		case 6:
			fmt.Fprintf(&b, "\tif (%s %% 7u == 3u) { o[gl_GlobalInvocationID.x] = %s; return; }\n", x(), x())
		}
	}
	for k := range locals {
		fmt.Fprintf(&b, "\to[gl_GlobalInvocationID.x] = o[gl_GlobalInvocationID.x] * 31u + x%d + s0[gl_LocalInvocationIndex];\n", k)
	}
	return b.String() + "}\n"
}
