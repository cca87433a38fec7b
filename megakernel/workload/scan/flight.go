package scan

import (
	"os"
	"sync"
)

// flight is a file that is being searched. Reading goroutines open it; all else is the runner's.
type flight struct {
	file    *file
	once    sync.Once
	source  *os.File // nil while it is not open, and where it could not be opened
	refused error    // why it could not be opened

	planned  int64      // bytes from the beginning of the file that segments ask for
	grown    bool       // all came back full: the file has more
	ended    bool       // a segment has come short, or failed: no more are cut
	cut      bool       // the bytes up to the first segment that came short are added up
	beyond   bool       // some were found after those
	failed   error      // reading failed; what was found is dropped
	pending  int        // segments that are not finished
	segments []*segment // those that are not added up, in the order of the file
	counted  int64      // bytes that are counted as progress
}

// segment is a part of a file in a piece.
type segment struct {
	flight *flight
	at     int64 // offset in the file
	want   int
	only   bool   // no other one reads the file, if this one comes short
	got    int    // less than want where the file ends
	sum    uint32 // CRC-32C of these
	failed error
	done   bool

	first, end int // granules of the piece that hold its own bytes; bytes of the file before them precede it
}

// probe is how much is asked for of a file that has more than it had when the tree was walked.
const probe = 64 << 10

// left is how many bytes of the file no segment has asked for, as far as is known: one more than that, so that the last segment
// comes short, which tells the end.
func (f *flight) left() int64 {
	if f.grown {
		return probe
	}
	return max(f.file.size+1-f.planned, 0)
}

// open opens the file for the first segment that wants it.
func (f *flight) open(t *tree) (*os.File, error) {
	f.once.Do(func() { f.source, f.refused = t.open(f.file) })
	return f.source, f.refused
}

// close closes the file if it is open.
func (f *flight) close() {
	if f.source != nil {
		f.source.Close()
		f.source = nil
	}
}

// finish adds up what is known from the beginning of the file on, when a segment is searched, and returns how much of that is progress.
func (f *flight) finish(s *segment) (progress int64) {
	s.done = true
	f.pending--
	for len(f.segments) > 0 && f.segments[0].done {
		f.add(f.segments[0])
		f.segments = f.segments[1:]
	}
	progress = min(int64(s.got), f.file.size-f.counted) // it may be longer than it was
	f.counted += progress
	return progress
}

// add adds a segment to its file, unless one before it has come short: the file was truncated while it was read.
func (f *flight) add(s *segment) {
	if f.cut {
		f.beyond = f.beyond || s.got > 0
		return
	}
	f.file.read += int64(s.got)
	f.file.checksum = joinSums(f.file.checksum, s.sum, int64(s.got))
	f.cut = s.got < s.want
}

// over reports whether the file is through.
func (f *flight) over() bool { return f.ended && f.pending == 0 }
