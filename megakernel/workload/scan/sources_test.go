package scan

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/workload"
)

var wholeTree = flag.Bool("tree", false, "TestScanDigestIsTheSameEverywhere scans all of the toolchain's sources")

// TestScanDigestIsTheSameEverywhere: three seeds, goroutines in parallel, and gl where it is built in
// give one result over the toolchain's sources, and it is that of a count which shares no code with the
// scan. The arena and the ring are so small that files stream and tasks wait for the host.
func TestScanDigestIsTheSameEverywhere(t *testing.T) {
	below := sourcesBelow
	if *wholeTree {
		below = ""
	}
	root := toolchainSources(t, below)
	want := timed(t, "count", func() Result { return countIndependently(t, root) })
	t.Logf("%d files, %d bytes, %d matches, digest %s", want.Files, want.Bytes, want.Matches, want.Digest)
	if want.Matches == 0 {
		t.Fatal("no matches: equal digests would prove nothing")
	}
	for name, open := range everywhere() {
		t.Run(name, func(t *testing.T) {
			s := New(rig.Manifest(t, "scan"), Options{Path: root, ArenaBytes: 1 << 20, Records: ringRecords})
			b := open(t)
			out := timed(t, "scan", func() rig.Outcome { return mustRun(t, b, s, rig.Shape{Workers: 2}) })
			got := out.Result.(Result)
			if got.Files != want.Files || got.Bytes != want.Bytes || got.Matches != want.Matches || got.Digest != want.Digest || got.Unreadable != 0 {
				t.Errorf("scan: %+v\ncount: %+v", got, want)
			}
			if out.Summary.Counters[megakernel.CountPauses] == 0 {
				t.Error("no task paused: the ring was never full")
			}
		})
	}
}

// everywhere is how a scan is run, by name.
func everywhere() map[string]func(testing.TB) engine.Backend {
	out := map[string]func(testing.TB) engine.Backend{
		"parallel": func(t testing.TB) engine.Backend { return backendtest.Reference(t, reference.Options{Parallel: 2}) },
	}
	for seed := range uint64(3) {
		out[fmt.Sprintf("seed %d", seed)] = func(t testing.TB) engine.Backend { return backendtest.Reference(t, reference.Options{Seed: seed}) }
	}
	for name, open := range backendtest.All {
		if name != "reference" { // its seeds are there
			out[name] = open
		}
	}
	return out
}

func mustRun(t *testing.T, b engine.Backend, s *Scan, shape rig.Shape) rig.Outcome {
	out, err := rig.Run(rig.Deadline(t), b, s, shape)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Verification.OK {
		t.Error(out.Verification.Detail)
	}
	return out
}

func timed[T any](t *testing.T, what string, f func() T) T {
	begun := time.Now()
	out := f()
	t.Logf("%s: %v", what, time.Since(begun).Round(time.Millisecond))
	return out
}

// counted is what countFile finds.
type counted struct {
	bytes   int64
	matches int64
	lines   []byte // of the digest
}

// countIndependently makes the result of a scan of the shipped patterns from nothing but the standard
// library, two files at a time.
func countIndependently(t *testing.T, root string) Result {
	list, err := fs.ReadFile(workload.Shipped, "scan/"+patternFile)
	if err != nil {
		t.Fatal(err)
	}
	patterns := bytes.Split(list, []byte("\n"))
	tree := os.DirFS(root)
	paths := regularFiles(t, tree)
	files := make([]counted, len(paths))
	var half sync.WaitGroup
	for first := range 2 {
		half.Go(func() {
			for i := first; i < len(paths); i += 2 {
				files[i] = countFile(t, tree, paths[i], patterns)
			}
		})
	}
	half.Wait()
	return addUp(files)
}

// regularFiles are the paths below a folder, in the order of their bytes.
func regularFiles(t *testing.T, tree fs.FS) (paths []string) {
	err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(paths, strings.Compare)
	return paths
}

func countFile(t *testing.T, tree fs.FS, path string, patterns [][]byte) counted {
	data, err := fs.ReadFile(tree, path)
	if err != nil {
		t.Error(err)
	}
	type hit struct{ offset, line int }
	var hits []hit
	for i, pattern := range patterns {
		if len(pattern) == 0 {
			continue
		}
		for at := bytes.Index(data, pattern); at >= 0; {
			hits = append(hits, hit{at, i + 1})
			next := bytes.Index(data[at+1:], pattern)
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.line, b.line)) })
	out := counted{bytes: int64(len(data)), matches: int64(len(hits))}
	for _, h := range hits {
		out.lines = fmt.Appendf(out.lines, "%s\t%d\t%d\n", path, h.offset, h.line)
	}
	return out
}

func addUp(files []counted) Result {
	r := Result{Files: int64(len(files))}
	digest := sha256.New()
	for _, f := range files {
		r.Bytes += f.bytes
		r.Matches += f.matches
		digest.Write(f.lines)
	}
	r.Digest = hex.EncodeToString(digest.Sum(nil))
	return r
}
