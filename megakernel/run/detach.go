package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

// Detached is what is kept of a detached run.
type Detached struct {
	Name     string    `json:"name"`
	Process  int       `json:"process"`
	Detached time.Time `json:"detached"`
	Ended    time.Time `json:"ended,omitzero"`
	Status   int       `json:"status"` // exit status; valid once Ended is set
	log      string    // path
}

// DetachedDir is where the records and log files are, by the environment; "" where there is no place for them.
func DetachedDir(environ []string) string {
	state := plainfile.StateDir(environ)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "detached")
}

// unwritable says that a file of a detached run cannot be used.
func unwritable(path string, err error) error {
	return &fault.Error{Subject: path, Cause: err, Fix: "make the directory writable, or set XDG_STATE_HOME to one that is"}
}

// unreadable says that the log of a detached run cannot be read.
func unreadable(path string, err error) error {
	return &fault.Error{Op: "read the log", Subject: path, Cause: err, Fix: plainfile.Fix(err)}
}

const errNoDir fault.Kind = "no directory for the log of a detached run"

// DetachedLog is the log file of a run that is being detached, or is.
type DetachedLog struct {
	dir    string
	file   *os.File
	record Detached
}

// CreateDetachedLog makes the log file of a run; one of an earlier run of that name is replaced.
func CreateDetachedLog(dir, name string) (*DetachedLog, error) {
	if dir == "" {
		return nil, unwritable("HOME", errNoDir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	path := logPath(dir, name)
	_ = os.Remove(path) // a link in its place must not be followed
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if err != nil {
		return nil, unwritable(path, err)
	}
	return &DetachedLog{dir: dir, file: f, record: Detached{Name: name, Process: os.Getpid(), Detached: time.Now()}}, nil
}

func logPath(dir, name string) string { return filepath.Join(dir, name+".log") }

// keep writes the record, whole or not at all.
func (l *DetachedLog) keep() error {
	text, err := json.MarshalIndent(l.record, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(l.dir, l.record.Name+".json")
	whole := path + ".new"
	if err := os.WriteFile(whole, append(text, '\n'), 0o600); err != nil {
		return unwritable(whole, err)
	}
	if err := os.Rename(whole, path); err != nil {
		return unwritable(path, err)
	}
	return nil
}

// Close notes that the run has ended, with an exit status.
func (l *DetachedLog) Close(status int) error {
	l.record.Ended, l.record.Status = time.Now(), status
	return errors.Join(l.keep(), l.file.Close())
}

// maxRecordBytes bounds the record of a detached run, maxLogShown what is read of its log.
const (
	maxRecordBytes = 64 << 10
	maxLogShown    = 4 << 20
)

// ListDetached reads the records of a directory, in the order of names. What is damaged is left out.
func ListDetached(dir string) []Detached {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json")) // the pattern is right
	var out []Detached
	for _, f := range files {
		text, err := plainfile.Read(f, maxRecordBytes)
		var r Detached
		if err == nil && json.Unmarshal(text, &r) == nil && r.Name == strings.TrimSuffix(filepath.Base(f), ".json") {
			r.log = logPath(dir, r.Name)
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Detached) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// FindDetached is the record of a run, if it was detached.
func FindDetached(dir, name string) (Detached, bool) {
	for _, r := range ListDetached(dir) {
		if r.Name == name {
			return r, true
		}
	}
	return Detached{}, false
}

// Over reports whether the run has ended in order.
func (r *Detached) Over() bool { return !r.Ended.IsZero() }

// Text is what the run has written since it was detached, the end of it where that is more than 4 MiB.
func (r *Detached) Text() (string, error) {
	f, err := plainfile.Open(r.log)
	if err != nil {
		return "", unreadable(r.log, err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return "", unreadable(r.log, err)
	}
	skipped := max(size-maxLogShown, 0)
	text := make([]byte, size-skipped)
	if n, err := f.ReadAt(text, skipped); err != nil && err != io.EOF {
		return "", unreadable(r.log, err)
	} else if text = text[:n]; skipped > 0 {
		return fmt.Sprintf("(%d bytes before this are in %s)\n%s", skipped, r.log, text), nil
	}
	return string(text), nil
}

// State says in words what became of the run; alive says whether it can be reached.
func (r *Detached) State(alive bool) string {
	switch {
	case alive:
		return "runs"
	case r.Over():
		return fmt.Sprintf("ended, status %d", r.Status)
	case ending(r.Process):
		return "ends"
	}
	return "lost: its process is gone and has left no result"
}
