package grep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

// TestMain makes sure that no run leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func definition(t testing.TB) Definition {
	return Definition{Manifest: rig.Manifest(t, "grep")}
}

func search(t testing.TB, o Options) *Grep {
	if o.Frames == 0 {
		o.Frames = 4
	}
	if o.PageBytes == 0 {
		o.PageBytes = 256
	}
	return New(definition(t).Manifest, o)
}

// folder writes files; a name that ends in / is a folder.
func folder(t testing.TB, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// run searches, and fails unless the result is verified.
func run(t testing.TB, b engine.Backend, g *Grep) (Result, rig.Outcome) {
	out, err := rig.Run(rig.Deadline(t), b, g, rig.Shape{Workers: 2, Lanes: 8})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	return out.Result.(Result), out
}

var texts = map[string]string{
	"a.txt": "one error\ntwo\nerror three\n", "b/long": strings.Repeat("nothing here\nan error in line\n", 700),
	"b/exact": strings.Repeat("0123456789abcde\n", 32), "b/cut": strings.Repeat("error ", 600), "empty": "", "c/newlines": strings.Repeat("\n", 1025),
	"binary": "\x00\xff\nerror\x00\n", "c/word": "err", "unended": "x\nerror",
}

// TestLinesAreCounted: pages of several sizes, few frames and many, all with the same result on every backend.
func TestLinesAreCounted(t *testing.T) {
	dir := folder(t, texts)
	digests := map[string]bool{}
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		for _, o := range []Options{{PageBytes: 4, Frames: 128}, {PageBytes: 256, Frames: 1}, {PageBytes: 1 << 16, Frames: 3}} {
			if o.PageBytes == 4 && b.Identity().Name == "reference" {
				continue // a page a word takes long there
			}
			o.Path, o.Pattern, o.Out = dir, `\berror\b`, filepath.Join(t.TempDir(), "out")
			r, _ := run(t, b, search(t, o))
			if r.Files != 9 || r.Lines != 2+700+1+1+1 || r.Matching != 5 || r.Unreadable != 0 {
				t.Errorf("%+v", r)
			}
			counts, err := os.ReadFile(o.Out)
			if err != nil || !strings.HasPrefix(string(counts), "a.txt\t2\nb/cut\t1\nb/exact\t0\nb/long\t700\nbinary\t1\n") {
				t.Errorf("%q, %v", counts, err)
			}
			digests[r.Digest] = true
		}
	})
	if len(digests) != 1 {
		t.Errorf("different digests: %v", digests)
	}
}

// TestExactForAnySchedule draws files, expressions, sizes and seeds of the scheduler.
func TestExactForAnySchedule(t *testing.T) {
	rig.OneIn(t, 10, func(rt *rapid.T) {
		files := map[string]string{}
		bytes := rapid.SampledFrom([]string{"aab \n\xc3", strings.Repeat("aab \xc3", 8) + "\n", "ab"}).Draw(rt, "bytes") // short lines, long ones, one
		for i := range rapid.IntRange(1, 5).Draw(rt, "files") {
			text := rapid.SliceOfN(rapid.SampledFrom([]byte(bytes)), 0, 300).Draw(rt, "text")
			files[fmt.Sprint(i)] = strings.Repeat(string(text), rapid.IntRange(1, 5).Draw(rt, "times"))
		}
		b := backendtest.Reference(t, reference.Options{Seed: rapid.Uint64().Draw(rt, "seed"), TimeSlice: rapid.IntRange(16, 512).Draw(rt, "time slice")})
		g := search(t, Options{
			Path: folder(t, files), Pattern: rapid.SampledFrom(expressions).Draw(rt, "expression"),
			PageBytes: 4 * rapid.IntRange(1, 300).Draw(rt, "page"), Frames: rapid.IntRange(1, 6).Draw(rt, "frames"),
		})
		shape := rig.Shape{Workers: rapid.IntRange(1, 3).Draw(rt, "workers"), Lanes: rapid.IntRange(1, 8).Draw(rt, "lanes"), Slots: 32, Inbox: 8, Ended: 8}
		if out, err := rig.Run(rig.Deadline(t), b, g, shape); err != nil || !out.Verification.OK {
			rt.Fatal(out.Verification, err)
		}
	})
}

// changing is a search whose files change between Setup and Run.
type changing struct {
	*Grep
	change func()
}

func (c changing) Run(ctx context.Context, h workload.Host) error {
	c.change()
	return c.Grep.Run(ctx, h)
}

// TestFilesThatChangeMeanwhile: those that vanish, shrink or become something else are reported and left out,
// the others are searched.
func TestFilesThatChangeMeanwhile(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		dir := folder(t, texts)
		secret := filepath.Join(folder(t, map[string]string{"secret": strings.Repeat("error\n", 100)}), "secret")
		g := search(t, Options{Path: dir, Pattern: "error"})
		out, err := rig.Run(rig.Deadline(t), b, changing{g, func() {
			for _, err := range []error{
				os.Remove(filepath.Join(dir, "a.txt")), os.Truncate(filepath.Join(dir, "b/long"), 1000),
				os.Remove(filepath.Join(dir, "unended")), os.Symlink(secret, filepath.Join(dir, "unended")),
				os.Remove(filepath.Join(dir, "binary")), os.Mkdir(filepath.Join(dir, "binary"), 0o755),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}}, rig.Shape{Workers: 2, Lanes: 8})
		if err != nil || !out.Verification.OK {
			t.Fatal(out.Verification, err)
		}
		r := out.Result.(Result)
		if r.Files != 5 || r.Lines != 1 || r.Unreadable != 4 || len(r.Warnings) != 4 {
			t.Errorf("%+v", r)
		}
	})
}

// TestWrongCountsAreFound: the verification is one that can fail.
func TestWrongCountsAreFound(t *testing.T) {
	g := search(t, Options{Path: folder(t, texts), Pattern: "error"})
	if _, out := run(t, backendtest.All["reference"](t), g); !out.Verification.OK {
		t.Fatal(out.Verification)
	}
	g.tree.files[0].lines++
	if v, err := g.Verify(t.Context()); err != nil || v.OK || !strings.Contains(v.Detail, "a.txt: 3 lines, package regexp finds 2") {
		t.Errorf("%+v, %v", v, err)
	}
}

func TestCancelled(t *testing.T) {
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		ctx, cancel := context.WithCancelCause(rig.Deadline(t))
		stopped := errors.New("stopped by the test")
		g := search(t, Options{Path: folder(t, texts), Pattern: "error"})
		_, err := rig.Run(ctx, b, changing{g, func() { cancel(stopped) }}, rig.Shape{Workers: 1, Lanes: 8})
		if !errors.Is(err, stopped) && !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}

func TestWrongInput(t *testing.T) {
	dir := folder(t, map[string]string{"file": "x", "sub/file": "y"})
	empty := t.TempDir()
	tests := []struct {
		name   string
		values map[string]string
		kind   error
	}{
		{"unknown flag", map[string]string{"patern": "x"}, workload.ErrFlag},
		{"page of nothing", map[string]string{"page": "0"}, workload.ErrFlag},
		{"page too large", map[string]string{"page": "1025"}, workload.ErrFlag},
		{"no frame", map[string]string{"frames": "0"}, workload.ErrFlag},
		{"too many frames", map[string]string{"frames": "129"}, workload.ErrFlag},
		{"no number", map[string]string{"frames": "x"}, workload.ErrFlag},
		{"no expression", map[string]string{"pattern": "("}, workload.ErrFlag},
		{"no path", map[string]string{"path": filepath.Join(dir, "nothing")}, workload.ErrInput},
		{"nothing there", map[string]string{"path": empty}, workload.ErrInput},
		{"a device", map[string]string{"path": "/dev/null"}, workload.ErrInput},
		{"no folder for the output", map[string]string{"path": dir, "out": filepath.Join(dir, "nothing", "out")}, workload.ErrInput},
	}
	for _, tt := range tests {
		w, err := definition(t).New(tt.values)
		if err == nil {
			_, err = w.Setup(t.Context())
		}
		if !errors.Is(err, tt.kind) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// TestOneFile: a path may be a file.
func TestOneFile(t *testing.T) {
	dir := folder(t, texts)
	g := search(t, Options{Path: filepath.Join(dir, "b/cut"), Pattern: "error"})
	if r, _ := run(t, backendtest.All["reference"](t), g); r.Files != 1 || r.Lines != 1 {
		t.Errorf("%+v", r)
	}
}

// BenchmarkBytesPerSecond searches 4 MiB of text that is in the operating system's cache, with each backend. The
// metric B/s counts them from the first task to the last.
func BenchmarkBytesPerSecond(b *testing.B) {
	size := map[string]int{"reference": 1 << 14, "gl": 1 << 22}
	for name, open := range backendtest.All {
		b.Run(name, func(b *testing.B) {
			backend := open(b)
			files := map[string]string{}
			for i := range 32 {
				files[fmt.Sprint(i)] = strings.Repeat("a line of text as there are many, with a warning in it\n", size[name]/32/55)
			}
			o := Options{Path: folder(b, files), Pattern: `\b(error|warning)\b`, PageBytes: DefaultPageKiB << 10, Frames: DefaultFrames}
			bytes, seconds := 0.0, 0.0
			for b.Loop() {
				g := search(b, o)
				_, out := run(b, backend, g)
				bytes += float64(g.tree.bytes)
				seconds += out.Running.Seconds()
			}
			b.ReportMetric(bytes/seconds, "B/s")
		})
	}
}
