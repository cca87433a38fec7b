package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel"
)

// Segments divides a recording into files, each a recording of its own, and removes the oldest. The zero value is one file.
type Segments struct {
	Every time.Duration // time of the target in a file; 0: one file
	Keep  int           // files that stay; 0: all
	Bytes int64         // that the files that stay have together, but for the newest two; 0: no limit
}

// segmented is a recording in files.
type segmented struct {
	Segments
	header fixtures.Header
	name   string
	tell   func(w *fixtures.Writer)

	w     *fixtures.Writer
	from  time.Duration // of the first snapshot of the file
	some  bool          // there was one
	files []string      // that stay, oldest first
	count int
}

// next begins the next file. Numbers follow the name: run-2.mcap.
func (s *segmented) next() (err error) {
	s.count++
	file := s.name
	if s.Every > 0 {
		ext := filepath.Ext(file)
		file = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, ext), s.count, ext)
	}
	if s.w, err = fixtures.Create(file, s.header); err != nil {
		s.w = nil
		return err
	}
	s.files, s.some = append(s.files, file), false
	s.tell(s.w)
	return nil
}

// snapshot begins another file where it is time to.
func (s *segmented) snapshot(snap *megakernel.Snapshot) error {
	if s.Every > 0 && s.some && snap.Taken-s.from >= s.Every {
		if err := s.w.Close(); err != nil {
			return err
		}
		if err := errors.Join(s.next(), s.trim()); err != nil {
			return err
		}
	}
	if !s.some {
		s.from, s.some = snap.Taken, true
	}
	s.w.Snapshot(snap)
	return nil
}

// trim removes the oldest files. One that is gone already is none.
func (s *segmented) trim() error {
	for s.Keep > 0 && len(s.files) > s.Keep || s.Bytes > 0 && len(s.files) > 2 && s.size() > s.Bytes {
		if err := os.Remove(s.files[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plainfile.Failure("remove", s.files[0], err, plainfile.Fix(err))
		}
		s.files = s.files[1:]
	}
	return nil
}

func (s *segmented) size() (n int64) {
	for _, f := range s.files {
		if info, err := os.Stat(f); err == nil {
			n += info.Size()
		}
	}
	return n
}
