package tune

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel"
)

// StoreSchema names the document of an entry.
const StoreSchema = "vyretop.tuned/1"

// ErrStore is the kind of errors about a shape that cannot be stored or read.
const ErrStore fault.Kind = "tuned shape cannot be stored"

// Key says what a shape was found for.
type Key struct {
	Backend       string `json:"backend"`
	Renderer      string `json:"renderer"`
	Driver        string `json:"driver"`
	Workload      string `json:"workload"`
	WorkgroupSize int    `json:"workgroup_size"`
}

// StoreDir is the folder of the stored shapes, "" where there is none by the environment: tuned in vyretop's folder of
// XDG_STATE_HOME or ~/.local/state.
func StoreDir(environ []string) string {
	state := plainfile.StateDir(environ)
	if state == "" {
		return ""
	}
	return filepath.Join(state, "tuned")
}

// KeyOf makes the key of a workload on a device.
func KeyOf(id engine.Identity, workload string, workgroupSize int) Key {
	return Key{Backend: id.Name, Renderer: id.Renderer, Driver: id.Driver, Workload: workload, WorkgroupSize: workgroupSize}
}

// Entry is a shape, and what it was found with.
type Entry struct {
	Schema string `json:"schema"` // StoreSchema
	Key
	Workers int `json:"workers"`
	Lanes   int `json:"lanes"`
	// Workgroup is the workgroup size that it was found with; 0: that of the key.
	Workgroup int           `json:"workgroup,omitempty"`
	Slice     time.Duration `json:"slice_ns"`
	// Ratio is its rate over that of the default shape, with a 95 % interval; 1 where it is the default.
	Ratio   float64   `json:"ratio_to_default"`
	Low     float64   `json:"ratio_low"`
	High    float64   `json:"ratio_high"`
	Found   time.Time `json:"found"`
	Version string    `json:"version"` // of this program
}

// String says the shape for people.
func (e *Entry) String() string {
	return fmt.Sprintf("%d workers of %d lanes, slices of %v", e.Workers, e.Lanes, e.Slice)
}

// StorePath is the file of a key.
func StorePath(dir string, k Key) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []string{k.Backend, k.Renderer, k.Driver, k.Workload, fmt.Sprint(k.WorkgroupSize)}))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".json")
}

// Load reads the shape for a key; nil where there is none.
func Load(dir string, k Key) (*Entry, error) {
	if dir == "" {
		return nil, nil
	}
	path := StorePath(dir, k)
	text, err := plainfile.Read(path, 64<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &fault.Error{Kind: ErrStore, Op: "read", Subject: "the tuned shape in " + path, Cause: err, Fix: "set XDG_STATE_HOME to a directory of yours"}
	}
	var e Entry
	if json.Unmarshal(text, &e) != nil || e.Schema != StoreSchema || e.Key != k || !e.sound() {
		return nil, nil
	}
	return &e, nil
}

// sound reports whether a kernel of the entry's key could run so.
func (e *Entry) sound() bool {
	return e.Workers > 0 && e.Lanes > 0 && e.Lanes <= max(e.WorkgroupSize, e.Workgroup) && e.Workgroup >= 0 && e.Workgroup <= megakernel.MaxWorkgroup && e.Slice > 0
}

// CanSave makes the directory and returns the error of a Save that could not write there, for who would otherwise learn
// it after a long search.
func CanSave(dir string) error {
	if err := given(dir); err != nil {
		return err
	}
	f, err := create(dir)
	if err != nil {
		return &fault.Error{Kind: ErrStore, Op: "keep", Subject: "the tuned shape in " + dir, Cause: err, Fix: "set XDG_STATE_HOME to a directory of yours"}
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Save keeps a shape in place of the one before, and returns its file. A reader in the meantime sees one
// or the other.
func Save(dir string, e Entry) (string, error) {
	if err := given(dir); err != nil {
		return "", err
	}
	e.Schema = StoreSchema
	text, err := json.MarshalIndent(&e, "", "  ")
	if err != nil {
		panic("BUG: tuned shape: " + err.Error()) // plain data
	}
	path := StorePath(dir, e.Key)
	if err := replace(path, append(text, '\n')); err != nil {
		return "", &fault.Error{Kind: ErrStore, Op: "keep", Subject: "the tuned shape in " + path, Cause: err, Fix: "set XDG_STATE_HOME to a directory of yours"}
	}
	return path, nil
}

// given reports a directory that is not known.
func given(dir string) error {
	if dir == "" {
		return &fault.Error{Kind: ErrStore, Op: "keep", Subject: "the tuned shape in the user's state directory", Cause: errors.New("neither XDG_STATE_HOME nor HOME is set"), Fix: "set XDG_STATE_HOME to a directory of yours"}
	}
	return nil
}

// create makes a file that is to replace another one.
func create(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return os.CreateTemp(dir, ".tuned-*")
}

func replace(path string, text []byte) error {
	f, err := create(filepath.Dir(path))
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
