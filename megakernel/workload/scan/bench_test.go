package scan

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vyretop/engine"
	"vyretop/engine/backendtest"
	"vyretop/megakernel/internal/rig"
)

// benchTree is what the benchmarks scan, below the toolchain's sources.
const benchTree = "cmd/compile"

// BenchmarkBytesIndexLoop is what scan is compared with: one bytes.Index loop per pattern over the
// same files, in memory, on one core.
func BenchmarkBytesIndexLoop(b *testing.B) {
	s := New(rig.Manifest(b, "scan"), Options{Path: toolchainSources(b, benchTree)})
	var err error
	if s.patterns, err = s.loadPatterns(); err != nil {
		b.Fatal(err)
	}
	if s.tree, err = walk(rig.Deadline(b), s.opt.Path); err != nil {
		b.Fatal(err)
	}
	var texts [][]byte
	for _, f := range s.tree.files {
		data, err := os.ReadFile(filepath.Join(s.tree.root, f.path))
		if err != nil {
			b.Fatal(err)
		}
		texts = append(texts, data)
	}
	b.SetBytes(s.tree.bytes)
	matches := 0
	for b.Loop() {
		matches = 0
		for _, data := range texts {
			matches += countMatches(data, s.patterns)
		}
	}
	b.ReportMetric(float64(matches), "matches")
}

func countMatches(data []byte, patterns []Pattern) (n int) {
	for _, p := range patterns {
		for from := 0; ; n++ {
			i := bytes.Index(data[from:], p.Text)
			if i < 0 {
				break
			}
			from += i + 1
		}
	}
	return n
}

// BenchmarkScanThroughput scans the same files, one worker. scan-MB/s is of Workload.Run: reading,
// staging, scanning, draining and the digest; starting the kernel and verifying are left out.
func BenchmarkScanThroughput(b *testing.B) {
	for name, open := range backendtest.All {
		b.Run(name, func(b *testing.B) {
			backend := open(b)
			root := toolchainSources(b, benchTree)
			scanned(b, backend, root) // a driver compiles at the first dispatch
			var bytes, seconds float64
			var r Result
			for b.Loop() {
				out := scanned(b, backend, root)
				r = out.Result.(Result)
				bytes += float64(r.Bytes)
				seconds += out.Running.Seconds()
			}
			b.ReportMetric(bytes/1e6/seconds, "scan-MB/s")
			b.ReportMetric(float64(r.Matches), "matches")
		})
	}
}

func scanned(b *testing.B, backend engine.Backend, root string) rig.Outcome {
	s := New(rig.Manifest(b, "scan"), Options{Path: root, ArenaBytes: DefaultArenaMiB << 20, Records: defaultRecords})
	out, err := rig.Run(rig.Deadline(b), backend, s, rig.Shape{Workers: 1, Full: true})
	if err != nil || !out.Verification.OK {
		b.Fatal(out.Verification.Detail, err)
	}
	return out
}

// BenchmarkCompileAutomaton builds the table of the shipped patterns.
func BenchmarkCompileAutomaton(b *testing.B) {
	patterns, err := New(rig.Manifest(b, "scan"), Options{}).loadPatterns()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Compile(patterns)
	}
}

// BenchmarkStageText is turning text into symbols.
func BenchmarkStageText(b *testing.B) {
	patterns, err := New(rig.Manifest(b, "scan"), Options{}).loadPatterns()
	if err != nil {
		b.Fatal(err)
	}
	a := Compile(patterns)
	text := bytes.Repeat([]byte("what a file holds, "), 1<<12)[:1<<16] // a block
	words := make(engine.Words, len(text)/4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		a.encode(words, text, shapeOf(len(text)/a.granuleBytes(), 128))
	}
}
