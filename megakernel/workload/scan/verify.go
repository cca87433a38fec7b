package scan

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"

	"vyretop/megakernel/workload"
)

// verifyBytes is how much is counted again: all of a small tree, evenly chosen files of a larger one.
const verifyBytes = 64 << 20

// Verify implements workload.Workload. It searches files again, one pattern at a time with
// bytes.Index, which shares nothing with the automaton, and compares every match. A file that has
// changed since is left out, and counted.
func (s *Scan) Verify(ctx context.Context) (workload.Verification, error) {
	var files, changed int
	var read int64
	for _, f := range s.sample() {
		if ctx.Err() != nil {
			return workload.Verification{}, context.Cause(ctx)
		}
		data, same := s.reread(f)
		if !same {
			changed++
			continue
		}
		want, err := bruteForce(ctx, data, s.patterns)
		if err != nil {
			return workload.Verification{}, err
		}
		if !slices.Equal(f.matches, want) {
			return workload.Verification{Detail: fmt.Sprintf("%s: %s", f.path, difference(f.matches, want))}, nil
		}
		files++
		read += int64(len(data))
	}
	r := s.report.result
	detail := fmt.Sprintf("counted again with bytes.Index: %d of %d files, %d of %d bytes", files, r.Files, read, r.Bytes)
	if changed > 0 {
		detail += fmt.Sprintf("; %d changed since they were read", changed)
	}
	return workload.Verification{OK: files > 0 || r.Bytes == 0 || changed > 0, Detail: detail}, nil
}

// sample chooses the files to check.
func (s *Scan) sample() []*file {
	var out []*file
	step := int64(1)
	if r := s.report.result; r.Bytes > verifyBytes {
		step = (r.Bytes + verifyBytes - 1) / verifyBytes
	}
	next := int64(0)
	var at int64
	for _, f := range s.tree.files {
		if !f.scanned {
			continue
		}
		if at >= next && f.read <= verifyBytes {
			out = append(out, f)
			next = at + f.read*step
		}
		at += f.read
	}
	return out
}

// reread reads a file again; same is false when it is not what was scanned.
func (s *Scan) reread(f *file) (data []byte, same bool) {
	src, err := s.tree.open(f)
	if err != nil {
		return nil, false
	}
	defer src.Close()
	data, err = readAtMost(src, f.read)
	return data, err == nil && int64(len(data)) == f.read && crc32.Checksum(data, castagnoli) == f.checksum
}

// readAtMost reads one byte more than asked for, if there is one, so that growth shows.
func readAtMost(src *os.File, n int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(src, n+1))
}

// bruteForce finds all matches in the order of a report, until the context ends.
func bruteForce(ctx context.Context, data []byte, patterns []Pattern) ([]Match, error) {
	var out []Match
	texts, lines := deduplicate(patterns)
	for i, text := range texts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for from := 0; len(out) <= MaxMatches; {
			at := bytes.Index(data[from:], text)
			if at < 0 {
				break
			}
			for _, line := range lines[i] {
				out = append(out, Match{Offset: int64(from + at), Line: line})
			}
			from += at + 1
		}
	}
	sortMatches(out)
	return out, nil
}

func difference(got, want []Match) string {
	for i, w := range want {
		if i >= len(got) {
			return fmt.Sprintf("%d matches, bytes.Index finds %d; the first one missing is at offset %d, pattern line %d", len(got), len(want), w.Offset, w.Line)
		}
		if got[i] != w {
			return fmt.Sprintf("match %d is at offset %d, pattern line %d; bytes.Index finds offset %d, line %d", i, got[i].Offset, got[i].Line, w.Offset, w.Line)
		}
	}
	return fmt.Sprintf("%d matches, bytes.Index finds %d", len(got), len(want))
}
