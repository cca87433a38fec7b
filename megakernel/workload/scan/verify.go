package scan

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"vyretop/megakernel/workload"
)

// verifyBytes is how much is counted again: all of a small tree, evenly chosen files of a larger one, and the beginning of
// a larger file.
const verifyBytes = 64 << 20

// Verify implements workload.Workload. It searches files again, one pattern at a time with
// bytes.Index, which shares nothing with the automaton, and compares every match. A file that has
// changed since is left out, and counted.
func (s *Scan) Verify(ctx context.Context) (workload.Verification, error) {
	return s.verify(ctx, verifyBytes)
}

func (s *Scan) verify(ctx context.Context, limit int64) (workload.Verification, error) {
	var files, changed int
	var read int64
	for _, f := range s.sample(limit) {
		if ctx.Err() != nil {
			return workload.Verification{}, context.Cause(ctx)
		}
		data, same := s.reread(f, limit)
		if !same {
			changed++
			continue
		}
		want, err := bruteForce(ctx, data, s.patterns)
		if err != nil {
			return workload.Verification{}, err
		}
		if got := s.within(f, len(data)); !slices.Equal(got, want) {
			return workload.Verification{Detail: fmt.Sprintf("%s: %s", f.path, difference(got, want))}, nil
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
func (s *Scan) sample(limit int64) []*file {
	var out []*file
	step := int64(1)
	if r := s.report.result; r.Bytes > limit {
		step = (r.Bytes + limit - 1) / limit
	}
	next := int64(0)
	var at int64
	for _, f := range s.tree.files {
		if !f.scanned {
			continue
		}
		if at >= next {
			out = append(out, f)
			next = at + f.read*step
		}
		at += f.read
	}
	return out
}

// reread reads a file again, and gives at most the first limit bytes; same is false when it is not what was scanned.
func (s *Scan) reread(f *file, limit int64) (data []byte, same bool) {
	src, err := s.tree.open(f)
	if err != nil {
		return nil, false
	}
	defer src.Close()
	sum := crc32.New(castagnoli)
	all := io.TeeReader(io.LimitReader(src, f.read+1), sum) // one byte more, if there is one, so that growth shows
	data, err = io.ReadAll(io.LimitReader(all, limit))
	if err != nil {
		return nil, false
	}
	rest, err := io.Copy(io.Discard, all)
	return data, err == nil && int64(len(data))+rest == f.read && sum.Sum32() == f.checksum
}

// within are the matches of a file that end in its first n bytes.
func (s *Scan) within(f *file, n int) []Match {
	if int64(n) == f.read {
		return f.matches
	}
	return s.endingBefore(slices.Clone(f.matches), int64(n))
}

// endingBefore removes the matches that do not end in the first n bytes of their file.
func (s *Scan) endingBefore(matches []Match, n int64) []Match {
	size := map[uint32]int64{}
	for _, p := range s.patterns {
		size[p.Line] = int64(len(p.Text))
	}
	return slices.DeleteFunc(matches, func(m Match) bool { return m.Offset+size[m.Line] > n })
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
