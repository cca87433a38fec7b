package run

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vyretop/engine/plainfile"
	"vyretop/fixtures"
)

// How often the end of a run is written while it runs, and how many bytes of snapshots, of the log and of the rest.
const (
	surviveEvery = time.Second
	surviveBytes = 1 << 20
)

// killedText is why the end of a run was kept that could not say why itself.
const killedText = "the process was killed, or crashed: this is from the second before"

// lockSuffix is that of the file that says, by its lock, that the process of a run lives.
const lockSuffix = ".lock"

// SurvivorDir is where runs keep their ends while they run; "" for nowhere. Environ has entries "NAME=value".
func SurvivorDir(environ []string) string {
	if state := plainfile.StateDir(environ); state != "" {
		return filepath.Join(state, "running")
	}
	return ""
}

// past is what happened last in a run. It writes the end of that every second while the run lasts: a process that is killed cannot.
type past struct {
	*fixtures.BlackBox

	file string // its recording; "" for none
	lock *os.File
	stop chan struct{}
	over sync.WaitGroup
}

// begin writes into a folder until close. It is a precaution: where the folder cannot be written nothing is kept.
func (s *past) begin(dir, name string) {
	file := filepath.Join(dir, name)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	lock, err := os.OpenFile(file+lockSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return
	}
	plainfile.Hold(lock)
	if !lives(file + lockSuffix) { // without locks a run that lives cannot be told from one that is gone
		_ = lock.Close()
		_ = os.Remove(file + lockSuffix)
		return
	}
	s.file, s.lock, s.stop = file, lock, make(chan struct{})
	s.over.Go(func() {
		tick := time.NewTicker(surviveEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_ = keepNewest(file, s.BlackBox) // it is tried again in a second
			case <-s.stop:
				return
			}
		}
	})
}

// keepNewest replaces a file, which is whole at any time.
func keepNewest(file string, box *fixtures.BlackBox) error {
	var text bytes.Buffer
	if err := box.WriteNewest(&text, killedText, surviveBytes); err != nil {
		return err
	}
	part := file + ".part"
	if err := os.WriteFile(part, text.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(part, file)
}

// close removes what was kept: the run ends by itself.
func (s *past) close() {
	if s.file == "" {
		return
	}
	close(s.stop)
	s.over.Wait()
	for _, file := range beside(s.file) {
		_ = os.Remove(file)
	}
	_ = s.lock.Close()
	s.file = ""
}

// beside are the files of a run that survive: its recording, its lock and notes about it.
func beside(file string) []string {
	found, _ := filepath.Glob(filepath.Join(escaped(filepath.Dir(file)), escaped(filepath.Base(file))+"*"))
	return found
}

// escaped is a name as a pattern that matches it alone.
func escaped(name string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(name)
}

// Rescue moves the ends of runs whose processes are gone from their folder to that of runs that ended badly, with notes about them,
// and names their recordings.
func Rescue(survivors, pastDir string) (kept []string) {
	locks, _ := filepath.Glob(filepath.Join(escaped(survivors), "*"+lockSuffix))
	for _, lock := range locks {
		if lives(lock) {
			continue
		}
		file := strings.TrimSuffix(lock, lockSuffix)
		to := filepath.Join(pastDir, filepath.Base(file))
		_ = os.MkdirAll(pastDir, 0o700) // the next call says what is wrong with it
		switch err := os.Rename(file, to); {
		case err == nil:
			kept = append(kept, to)
		case !errors.Is(err, fs.ErrNotExist):
			continue // the next one who looks may be able to
		}
		for _, note := range beside(file) {
			if note == lock || strings.HasSuffix(note, ".part") || os.Rename(note, filepath.Join(pastDir, filepath.Base(note))) != nil {
				_ = os.Remove(note)
			}
		}
	}
	if len(kept) > 0 {
		dropOld(pastDir)
	}
	return kept
}

// lives reports whether the process that has a lock still runs.
func lives(lock string) bool {
	f, err := plainfile.Open(lock)
	if err != nil {
		return true // it has just ended, or is another user's
	}
	defer f.Close()
	return plainfile.Held(f)
}
