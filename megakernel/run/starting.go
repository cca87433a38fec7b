package run

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vyretop/engine/plainfile"
)

// Starting is a run whose kernel is compiled: other processes cannot reach it yet.
type Starting struct {
	Name    string    `json:"name"` // of the workload
	Process int       `json:"process"`
	Device  string    `json:"device"`
	Since   time.Time `json:"since"`
}

// StartingDir is where such runs are listed, by the environment; "" where there is no place for it.
func StartingDir(environ []string) string {
	state := plainfile.StateDir(environ)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "starting")
}

// Announce lists this process in a directory until the function that it returns is called or the process ends. It is only
// information: a run whose directory cannot be written is not listed.
func (s Starting) Announce(dir string) (started func()) {
	if dir == "" || os.MkdirAll(dir, 0o700) != nil {
		return func() {}
	}
	path := filepath.Join(dir, fmt.Sprintf("%d.json", s.Process))
	_ = os.Remove(path) // of a process that had this number, or a link
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return func() {}
	}
	plainfile.Hold(f)
	if json.NewEncoder(f).Encode(s) != nil {
		_ = f.Truncate(0) // what is not whole is left out
	}
	return func() {
		_ = os.Remove(path)
		_ = f.Close()
	}
}

// ListStarting reads a directory that runs are announced in, in the order in which they began. It removes what processes have left
// behind that are gone.
func ListStarting(dir string) []Starting {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json")) // the pattern is right
	var out []Starting
	for _, path := range files {
		if s, ok := readStarting(path); ok {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Starting) int { return a.Since.Compare(b.Since) })
	return out
}

// readStarting reads the entry of a process, and removes it if that is gone.
func readStarting(path string) (s Starting, ok bool) {
	f, err := plainfile.Open(path)
	if err != nil {
		return s, false
	}
	defer f.Close()
	if !plainfile.Held(f) {
		_ = os.Remove(path)
		return s, false
	}
	err = json.NewDecoder(io.LimitReader(f, maxRecordBytes)).Decode(&s)
	return s, err == nil && filepath.Base(path) == fmt.Sprintf("%d.json", s.Process) && s.Name != "" && !strings.ContainsAny(s.Name, "/\x1b\n")
}

// State says in words how far the run is at a time.
func (s *Starting) State(now time.Time) string {
	return fmt.Sprintf("compiles its kernel for %s, %v", s.Device, max(now.Sub(s.Since), 0).Round(100*time.Millisecond))
}
