package scan

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"

	"vyretop/megakernel/workload"
)

// Result is the "result" object of a scan.
type Result struct {
	Files      int64    `json:"files"` // searched to their end, empty ones too
	Bytes      int64    `json:"bytes"` // in them
	Matches    int64    `json:"matches"`
	Digest     string   `json:"digest"`
	Patterns   int      `json:"patterns"`
	Unreadable int      `json:"unreadable"`         // files and folders that could not be read
	Warnings   []string `json:"warnings,omitempty"` // the first of them
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// maxWarnings is how many texts of warnings a Result carries; all are counted.
const maxWarnings = 20

// report is what a finished scan found.
type report struct {
	result Result
	warned []string
}

// Result implements workload.Workload.
func (s *Scan) Result() any { return s.report.result }

// warn counts a file that could not be read.
func (s *Scan) warn(f *file, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.problem = err.Error()
	s.unreadable++
	if len(s.report.warned) < maxWarnings {
		s.report.warned = append(s.report.warned, err.Error())
	}
}

// done notes that a file is finished. One that could not be read to its end is not part of the result.
func (s *Scan) done(f *file, ok bool) {
	f.scanned = ok
	if !ok {
		f.matches = nil
		return
	}
	sortMatches(f.matches)
}

// finish makes the result and writes --out.
func (s *Scan) finish() error {
	r := Result{Patterns: len(s.patterns), Unreadable: s.unreadable}
	for _, err := range s.tree.warnings[:min(len(s.tree.warnings), maxWarnings)] {
		r.Warnings = append(r.Warnings, err.Error())
	}
	r.Warnings = append(r.Warnings, s.report.warned...)
	r.Warnings = r.Warnings[:min(len(r.Warnings), maxWarnings)]
	for _, f := range s.tree.files {
		if f.scanned {
			r.Files++
			r.Bytes += f.read
			r.Matches += int64(len(f.matches))
		}
	}
	hash := sha256.New()
	if err := s.writeLines(hash); err != nil {
		return err
	}
	r.Digest = hex.EncodeToString(hash.Sum(nil))
	s.report.result = r
	return workload.WriteOut(s.opt.Out, s.writeLines)
}

// writeLines writes the sorted lines "path TAB offset TAB pattern line LF".
func (s *Scan) writeLines(w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<16)
	var line []byte
	for _, f := range s.tree.files {
		for _, m := range f.matches {
			line = append(append(line[:0], f.path...), '\t')
			line = append(strconv.AppendInt(line, m.Offset, 10), '\t')
			line = append(strconv.AppendUint(line, uint64(m.Line), 10), '\n')
			if _, err := b.Write(line); err != nil {
				return err
			}
		}
	}
	return b.Flush()
}
