package run

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"vyretop/engine/plainfile"
)

// Waits remembers how long runs waited until the driver had compiled their kernels, so that the next one can say how long that may
// take. It is only information: what cannot be read or written is left out. Its file has one JSON array, newest first.
type Waits struct{ file string } // "": nowhere

// wait is one entry.
type wait struct {
	Of string  `json:"of"` // workload and device
	MS float64 `json:"ms"`
}

const (
	keptWaits    = 128
	maxWaitsFile = 1 << 17
	leastWait    = 500 * time.Millisecond // kernels that are stored take less
)

// WaitsOf are those of a user, by the environment.
func WaitsOf(environ []string) Waits {
	state := plainfile.StateDir(environ)
	if state == "" {
		return Waits{}
	}
	return Waits{filepath.Join(state, "compiled.json")}
}

func (w Waits) read() (list []wait) {
	if w.file == "" {
		return nil
	}
	text, err := plainfile.Read(w.file, maxWaitsFile)
	if err != nil || json.Unmarshal(text, &list) != nil {
		return nil
	}
	return list
}

// Last is how long the last wait of that name was; 0 for unknown.
func (w Waits) Last(of string) time.Duration {
	for _, e := range w.read() {
		if e.Of == of && e.MS > 0 && e.MS < float64(24*time.Hour/time.Millisecond) {
			return time.Duration(e.MS * float64(time.Millisecond))
		}
	}
	return 0
}

// Keep remembers a wait, unless it is that for a stored kernel.
func (w Waits) Keep(of string, took time.Duration) {
	if w.file == "" || took < leastWait {
		return
	}
	list := slices.DeleteFunc(w.read(), func(e wait) bool { return e.Of == of })
	list = slices.Insert(list, 0, wait{of, float64(took.Milliseconds())})
	if os.MkdirAll(filepath.Dir(w.file), 0o700) != nil {
		return
	}
	_ = plainfile.Replace(w.file, 0o600, func(f io.Writer) error {
		return json.NewEncoder(f).Encode(list[:min(len(list), keptWaits)])
	})
}
