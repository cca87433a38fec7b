//go:build cgo && egl

package gl

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/engine"
	"vyretop/gl/internal/programcache"
)

// cachedBackend opens a backend that keeps programs in dir.
func cachedBackend(t testing.TB, dir string) *Backend {
	t.Helper()
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: dir})
	if b.gl.programs.disk == nil {
		t.Skip("the driver gives out no linked programs (Mesa: its own cache is switched off)")
	}
	return b
}

// runTriples compiles a small kernel in a backend of its own and checks what it computes.
func runTriples(t testing.TB, dir string) engine.ProgramCache {
	t.Helper()
	b := cachedBackend(t, dir)
	buf := allocate(t, b, 4, engine.HostVisible)
	wait(t, start(t, compile(t, b, triples(3)), 4, buf))
	got := make([]uint32, 4)
	check(t, buf.Download(within(t), 0, got))
	if d := cmp.Diff([]uint32{0, 3, 6, 9}, got); d != "" {
		t.Fatal(d)
	}
	return b.ProgramCache()
}

// triples writes factor times the index of each workgroup; each factor is another text.
func triples(factor int) *engine.Program {
	return program("triples", fmt.Sprintf(`#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Out { uint v[]; };
void main() { v[gl_WorkGroupID.x] = %du * gl_WorkGroupID.x; }
`, factor), 1, "Out")
}

func expectCache(t testing.TB, got, want engine.ProgramCache) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
}

// entryOf is the only file in a cache.
func entryOf(t testing.TB, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	check(t, err)
	if len(files) != 1 {
		t.Fatalf("%v is kept, want one program", files)
	}
	return files[0]
}

func TestLaterBackendsFindPrograms(t *testing.T) {
	dir := t.TempDir()
	expectCache(t, runTriples(t, dir), engine.ProgramCache{Misses: 1, Stored: 1})
	expectCache(t, runTriples(t, dir), engine.ProgramCache{DiskHits: 1})
}

// TestDamagedProgramsAreCompiledAgain damages each region of an entry.
func TestDamagedProgramsAreCompiledAgain(t *testing.T) {
	dir := t.TempDir()
	runTriples(t, dir)
	path := entryOf(t, dir)
	whole, err := os.ReadFile(path)
	check(t, err)
	for _, at := range []int{0, 7, 8, 40, 44, 48, 52, len(whole) / 2, len(whole) - 33, len(whole) - 1} {
		b := append([]byte(nil), whole...)
		b[at] ^= 0xff
		check(t, os.WriteFile(path, b, 0o600))
		expectCache(t, runTriples(t, dir), engine.ProgramCache{Misses: 1, Stored: 1, Dropped: 1})
	}
	expectCache(t, runTriples(t, dir), engine.ProgramCache{DiskHits: 1})
}

// TestProgramsTheDriverRefuses: entries that are whole, and of no use to this driver.
func TestProgramsTheDriverRefuses(t *testing.T) {
	dir := t.TempDir()
	runTriples(t, dir)
	digits, err := hex.DecodeString(strings.TrimSuffix(filepath.Base(entryOf(t, dir)), ".prog"))
	check(t, err)
	key := programcache.Key(digits)
	c := programcache.New(dir, programcache.DefaultLimit)
	kept, ok := c.Load(key)
	if !ok {
		t.Fatal("the entry cannot be loaded")
	}
	for name, p := range map[string]programcache.Program{
		"unknown format":    {Format: 1, Data: kept.Data},
		"of another driver": {Format: kept.Format, Data: append([]byte{kept.Data[0] ^ 0xff}, kept.Data[1:]...)},
		"cut":               {Format: kept.Format, Data: kept.Data[:len(kept.Data)/2]},
		"something else":    {Format: kept.Format, Data: []byte("a text")},
		"nothing":           {Format: kept.Format},
	} {
		t.Run(name, func(t *testing.T) {
			check(t, c.Store(key, p))
			expectCache(t, runTriples(t, dir), engine.ProgramCache{Misses: 1, Stored: 1, Dropped: 1})
		})
	}
}

// TestBackendsShareADirectory: backends that start at the same time on an empty cache, as processes do,
// get their programs in whatever order they come.
func TestBackendsShareADirectory(t *testing.T) {
	dir := t.TempDir()
	t.Run("at once", func(t *testing.T) {
		for range 4 {
			t.Run("", func(t *testing.T) {
				t.Parallel()
				runTriples(t, dir)
			})
		}
	})
	expectCache(t, runTriples(t, dir), engine.ProgramCache{DiskHits: 1})
}

// TestEqualTextsShareOneProgram: also when the first pipeline is closed.
func TestEqualTextsShareOneProgram(t *testing.T) {
	b := cachedBackend(t, t.TempDir())
	first, err := b.Compile(within(t), triples(3))
	check(t, err)
	second := compile(t, b, triples(3))
	check(t, first.Close())
	other := compile(t, b, triples(5))
	expectCache(t, b.ProgramCache(), engine.ProgramCache{MemoryHits: 1, Misses: 2, Stored: 2})
	buf := allocate(t, b, 2, engine.HostVisible)
	for _, c := range []struct {
		pipeline engine.Pipeline
		want     uint32
	}{{second, 3}, {other, 5}} {
		wait(t, start(t, c.pipeline, 2, buf))
		if got := buf.Words().Load(1); got != c.want {
			t.Errorf("got %d, want %d", got, c.want)
		}
	}
}

// TestIdleProgramsAreBounded: programs without a pipeline stay for a while, and not for ever.
func TestIdleProgramsAreBounded(t *testing.T) {
	b := openFor(t, Options{Device: testDevice(t), SkipProbes: true, ProgramCache: NoProgramCache})
	for factor := range maxIdlePrograms + 3 {
		pl, err := b.Compile(within(t), triples(factor))
		check(t, err)
		check(t, pl.Close())
	}
	compile(t, b, triples(3)) // the oldest that is left
	compile(t, b, triples(2)) // gone
	expectCache(t, b.ProgramCache(), engine.ProgramCache{MemoryHits: 1, Misses: maxIdlePrograms + 4})
	check(t, b.do(within(t), "count", func(s *glState) error {
		if n := len(s.programs.linked); n != maxIdlePrograms+1 {
			t.Errorf("%d programs, want %d idle and one in use more", n, maxIdlePrograms)
		}
		return nil
	}))
}

// TestCacheThatCannotBeWritten: everything works, and one message says why nothing is kept.
func TestCacheThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	b := cachedBackend(t, filepath.Join(file, "programs"))
	compile(t, b, triples(3))
	compile(t, b, triples(4))
	expectCache(t, b.ProgramCache(), engine.ProgramCache{Misses: 2})
	said := 0
	kept, _ := b.Messages()
	for _, m := range kept {
		if m.Source == "program cache" {
			said++
		}
	}
	if said != 1 {
		t.Errorf("said %d times, want once: %v", said, kept)
	}
}

func TestProgramCacheDirectory(t *testing.T) {
	for name, c := range map[string]struct{ asked, variable, xdg, home, want string }{
		"asked":        {"/asked", "/variable", "/xdg", "/home", "/asked"},
		"off":          {NoProgramCache, "/variable", "/xdg", "/home", ""},
		"environment":  {"", "/variable", "/xdg", "/home", "/variable"},
		"switched off": {"", NoProgramCache, "/xdg", "/home", ""},
		"XDG":          {"", "", "/xdg", "/home", "/xdg/vyretop/programs"},
		"home":         {"", "", "", "/home", "/home/.cache/vyretop/programs"},
		"relative":     {"", "", "xdg", "/home", ""},
		"nowhere":      {"", "", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(ProgramCacheVariable, c.variable)
			t.Setenv("XDG_CACHE_HOME", c.xdg)
			t.Setenv("HOME", c.home)
			if got := ProgramCacheDir(c.asked); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// BenchmarkCompile is the time of Compile for a kernel of 200 statements: from its text, from the disk,
// and shared with a pipeline of the same backend. A driver with a cache of its own answers "text" from that.
func BenchmarkCompile(b *testing.B) {
	text := `#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Out { uint v[]; };
void main() {
	uint x = gl_GlobalInvocationID.x;
` + strings.Repeat("	x = (x << 13) ^ x; x = (x >> 17) ^ x * 3u; if ((x & 7u) == 3u) x += v[x & 63u];\n", 200) + `
	v[gl_GlobalInvocationID.x] = x;
}
`
	p := program("large", text, 64, "Out")
	for _, kind := range []string{"text", "disk", "memory"} {
		b.Run(kind, func(b *testing.B) {
			dir := b.TempDir()
			if kind == "text" {
				dir = NoProgramCache
			} else {
				compile(b, cachedBackend(b, dir), p)
			}
			be := openFor(b, Options{Device: testDevice(b), SkipProbes: true, ProgramCache: dir})
			for b.Loop() {
				pl, err := be.Compile(b.Context(), p)
				check(b, err)
				if kind != "memory" {
					check(b, be.do(b.Context(), "forget", func(s *glState) error { s.programs.linked = nil; return nil }))
				}
				check(b, pl.Close())
			}
		})
	}
}

// TestKept: a program is kept once it has been compiled, and not before.
func TestKept(t *testing.T) {
	b := cachedBackend(t, t.TempDir())
	if b.Kept(within(t), triples(5)) {
		t.Error("a program is kept that was never compiled")
	}
	compile(t, b, triples(5))
	if !b.Kept(within(t), triples(5)) || b.Kept(within(t), triples(7)) {
		t.Error("the program that was compiled is not kept, or another one is")
	}
}
