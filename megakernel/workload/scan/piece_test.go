package scan

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
)

// drawPatterns draws patterns of up to 64 bytes that overlap each other and themselves.
func drawPatterns(t *rapid.T) (list [][]byte) {
	for range rapid.IntRange(1, 6).Draw(t, "patterns") {
		unit := rapid.SliceOfN(rapid.SampledFrom([]byte("abc\x00\xff")), 1, 8).Draw(t, "unit")
		list = append(list, bytes.Repeat(unit, 8)[:rapid.IntRange(1, 8*len(unit)).Draw(t, "length")])
	}
	return list
}

// drawFile draws a text of patterns and their beginnings, of a length that is close to a number of whole pieces or granules.
func drawFile(t *rapid.T, patterns [][]byte, piece int) []byte {
	size := max(rapid.SampledFrom([]int{0, 16, piece, 2 * piece, 3*piece + 16}).Draw(t, "about")+rapid.IntRange(-2, 2).Draw(t, "more"), 0)
	var text []byte
	for len(text) < size {
		p := rapid.SampledFrom(patterns).Draw(t, "text")
		text = append(text, p[:rapid.IntRange(1, len(p)).Draw(t, "part")]...)
		if gap := rapid.IntRange(0, 300).Draw(t, "gap"); gap > 100 {
			text = append(text, bytes.Repeat([]byte{'\n'}, gap)...)
		}
	}
	return text[:size]
}

// TestPiecesFindWhatANaiveSearchFinds: however files are cut, and whatever does not fit the ring of matches, the result is that of a
// search that shares no code with the scan.
func TestPiecesFindWhatANaiveSearchFinds(t *testing.T) {
	rig.OneIn(t, 8, func(rt *rapid.T) {
		patterns := drawPatterns(rt)
		o := small("", "")
		piece := 16 * (o.ArenaBytes/4/granuleWords/minEntries - 1)
		files := map[string]string{}
		for i := range rapid.IntRange(1, 4).Draw(rt, "files") {
			files[fmt.Sprintf("f%d", i)] = string(drawFile(rt, patterns, piece))
		}
		list := bytes.Join(patterns, []byte("\n"))
		o.Path, o.Patterns = write(t, files), filepath.Join(write(t, map[string]string{"p": string(list)}), "p")
		o.Records = 1 << rapid.IntRange(0, 6).Draw(rt, "ring")
		b := backendtest.Reference(t, reference.Options{Seed: rapid.Uint64().Draw(rt, "seed"), TimeSlice: rapid.IntRange(64, 512).Draw(rt, "time slice")})
		shape := rig.Shape{Workers: rapid.IntRange(1, 3).Draw(rt, "workers"), Lanes: rapid.IntRange(1, 8).Draw(rt, "lanes"), Slots: 32, Inbox: 8, Ended: 32}
		s := New(rig.Manifest(t, "scan"), o)
		s.readers = rapid.IntRange(0, 3).Draw(rt, "readers")
		out, err := rig.Run(rig.Deadline(t), b, s, shape)
		if err != nil {
			rt.Fatal(err)
		}
		want := naive(t, o.Path, patterns)
		if got := out.Result.(Result); got.Digest != want.Digest || got.Matches != want.Matches || got.Bytes != want.Bytes {
			rt.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// naive searches the files of a folder with the standard library.
func naive(t *testing.T, root string, patterns [][]byte) Result {
	var files []counted
	tree := os.DirFS(root)
	for _, path := range regularFiles(t, tree) {
		files = append(files, countFile(t, tree, path, patterns))
	}
	return addUp(files)
}

// TestOneLargeFileIsManyTasks: one file keeps all workers busy, and a match that is cut by the border of pieces is found, once.
func TestOneLargeFileIsManyTasks(t *testing.T) {
	pattern := strings.Repeat("0123456789", 5)
	text := strings.Repeat(pattern+"\n"+strings.Repeat("-", 47), 3000)
	root := write(t, map[string]string{"f": text})
	o := small(root, write(t, map[string]string{"p": pattern + "\n9\n"})+"/p")
	backendtest.OnEach(t, func(t *testing.T, b engine.Backend) {
		out, err := rig.Run(rig.Deadline(t), b, New(rig.Manifest(t, "scan"), o), rig.Shape{Workers: 2, Slots: 32, Inbox: 8, Ended: 64})
		if err != nil {
			t.Fatal(err)
		}
		want := naive(t, root, [][]byte{[]byte(pattern), []byte("9")})
		if r := out.Result.(Result); !out.Verification.OK || r.Digest != want.Digest || r.Matches != 3000*6 {
			t.Errorf("%+v, %+v", out.Verification, r)
		}
		if n := out.Summary.Submitted; n < 100 {
			t.Errorf("%d tasks", n)
		}
	})
}

// TestWorkersMayChangeTheirLanes: what a task has written is not written again by a worker with fewer lanes, and nothing is left out
// by one with more.
func TestWorkersMayChangeTheirLanes(t *testing.T) {
	root := write(t, map[string]string{"f": strings.Repeat("ab-b", 4000)})
	o := small(root, write(t, map[string]string{"p": "b\nab\n"})+"/p")
	changes := 0
	shape := rig.Shape{Workers: 2, Lanes: 8, Slots: 32, Inbox: 8, Ended: 64, Beside: func(ctx context.Context, s *resident.Session) {
		for i := 0; i < 8 && ctx.Err() == nil; i++ { // each ends a slice: without an end, nothing else would happen
			if _, err := s.Apply(ctx, megakernel.Setting{ID: megakernel.WorkgroupSetting, Value: []int64{3, 8, 1, 5}[i%4]}); err == nil {
				changes++
			} else if ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	}}
	b := backendtest.Reference(t, reference.Options{Seed: 1, TimeSlice: 128})
	out, err := rig.Run(rig.Deadline(t), b, New(rig.Manifest(t, "scan"), o), shape)
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Result.(Result); !out.Verification.OK || r.Matches != 12000 || changes < 2 {
		t.Errorf("%+v, %+v, %d changes", out.Verification, r, changes)
	}
}

// TestShrunkFileIsScannedAsFarAsItGoes: pieces behind the end of a file that has become shorter come to nothing.
func TestShrunkFileIsScannedAsFarAsItGoes(t *testing.T) {
	root := write(t, map[string]string{"f": strings.Repeat("password", 5000), "other": "password"})
	s := New(rig.Manifest(t, "scan"), small(root, write(t, map[string]string{"p": "password\n"})+"/p"))
	shrink := func() {
		if err := os.Truncate(filepath.Join(root, "f"), 8*1000-1); err != nil {
			t.Error(err)
		}
	}
	out, err := rig.Run(rig.Deadline(t), backendtest.All["reference"](t), &afterSetup{Scan: s, do: shrink}, rig.Shape{Workers: 1})
	if err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	if r := out.Result.(Result); r.Matches != 999+1 || r.Bytes != 8*1000-1+8 || r.Files != 2 {
		t.Errorf("%+v", r)
	}
}

// TestWhatFollowsACutIsDropped: a file that was truncated between the reading of its pieces ends where the first of them came short.
func TestWhatFollowsACutIsDropped(t *testing.T) {
	f := &flight{file: &file{size: 30}, ended: true}
	for i := range 3 {
		s := &segment{flight: f, at: int64(10 * i), want: 10, got: []int{10, 4, 10}[i]}
		f.segments = append(f.segments, s)
		f.pending++
	}
	all := slices.Clone(f.segments)
	for _, i := range []int{2, 0, 1} {
		f.finish(all[i])
	}
	if f.file.read != 14 || !f.beyond || !f.cut {
		t.Errorf("read %d, beyond %t, cut %t", f.file.read, f.beyond, f.cut)
	}
	s := &Scan{patterns: []Pattern{{Line: 1, Text: []byte("ab")}}}
	if got := s.endingBefore([]Match{{12, 1}, {13, 1}, {22, 1}}, f.file.read); len(got) != 1 {
		t.Errorf("matches %v", got)
	}
}

// TestPatternsThatAreTooLong are refused with their line.
func TestPatternsThatAreTooLong(t *testing.T) {
	root := write(t, map[string]string{"p": "a\n" + strings.Repeat("b", MaxPattern+1) + "\n"})
	if _, err := New(rig.Manifest(t, "scan"), small(root, root+"/p")).Setup(t.Context()); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Error(err)
	}
}

// TestLayoutHoldsEveryPiece: a piece fits its block, with what precedes it, for any arena, pattern and number of lanes.
func TestLayoutHoldsEveryPiece(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &Automaton{stride: rapid.IntRange(1, 2).Draw(t, "stride"), longest: rapid.IntRange(1, MaxPattern).Draw(t, "longest")}
		l := a.layoutOf(rapid.IntRange(1, 1<<20).Draw(t, "KiB") << 10)
		lanes := rapid.IntRange(1, 1024).Draw(t, "lanes")
		if n := l.piece(lanes); n > l.block || n < l.lead+2 || l.entries < 1 {
			t.Fatalf("%+v: a piece of %d granules", l, n)
		}
		granules := l.piece(lanes) - rapid.IntRange(0, l.piece(lanes)-1).Draw(t, "fewer")
		s := shapeOf(granules, columns(granules, lanes))
		if s.rows > rows || s.size() > l.block || s.size() < granules {
			t.Fatalf("%+v: %+v", l, s)
		}
	})
}
