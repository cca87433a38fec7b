package scan

import (
	"bytes"
	"fmt"
	"os"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// Limits of a pattern list. The second bounds the states of the automaton and so its table, 1 KiB each.
const (
	MaxPatternFile  = 16 << 20
	MaxPatternBytes = 1<<16 - 1
	// MaxMatches bounds what a scan finds and keeps, 16 bytes each: a few short or equal patterns match millions of times.
	MaxMatches = 1 << 24
)

// Pattern is a literal byte string to search for.
type Pattern struct {
	Line uint32 // in the pattern file, from 1
	Text []byte // not empty, without LF
}

// ParsePatterns reads one pattern per line. Empty lines are ignored; all other bytes count, blanks
// and carriage returns too. name is the file, for errors.
func ParsePatterns(name string, data []byte) ([]Pattern, error) {
	var out []Pattern
	total := 0
	number := uint32(0)
	for line := range bytes.SplitSeq(data, []byte{'\n'}) {
		if number++; len(line) == 0 {
			continue
		}
		out = append(out, Pattern{Line: number, Text: line})
		total += len(line)
	}
	if len(out) == 0 {
		return nil, workload.Failure(workload.ErrInput, name, "no pattern in the file", nil, "write one pattern a line")
	}
	if total > MaxPatternBytes {
		return nil, workload.Failure(workload.ErrInput, name, fmt.Sprintf("the patterns have %d bytes, at most %d fit", total, MaxPatternBytes), nil, "split the list and scan twice")
	}
	return out, nil
}

// readPatterns reads a pattern file from disk.
func readPatterns(name string) ([]Pattern, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, name, "the pattern file cannot be read", err, "check the path given with --patterns")
	}
	if info.IsDir() || info.Size() > MaxPatternFile {
		return nil, workload.Failure(workload.ErrInput, name, "it is a folder or larger than 16 MiB", nil, "give a file with one pattern a line to --patterns")
	}
	data, err := plainfile.Read(name, MaxPatternFile)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, name, "the pattern file cannot be read", err, plainfile.Fix(err))
	}
	return ParsePatterns(name, data)
}
