package workload

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/pelletier/go-toml/v2"

	"vyretop/engine/plainfile"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// ManifestName is the name of the manifest in a workload's folder.
const ManifestName = "workload.toml"

// Limits of a manifest. They keep a typing error from asking for all memory of the machine.
const (
	MaxManifestBytes = 1 << 20
	MaxBufferWords   = 1 << 26 // 256 MiB, per buffer
	MaxTasks         = 1 << 24 // in all
	MaxIterations    = megakernel.MaxActivation
	MaxUserBindings  = 8
)

// Manifest is a checked workload.toml. Expressions are parsed, and every flag they name exists.
type Manifest struct {
	Name, Title, Driver string
	Examples            []string // flags for --help, as in Definition
	Iterations          uint32   // 0 means the kernel's default
	UnorderedSpawns     bool     // how many tasks handlers spawn depends on the order in which tasks run
	UnorderedResults    bool     // the words with which tasks end depend on that order
	Operations          bool     // tasks may be operations of the protocol,
	Observables         uint32   // which have that many words to write to,
	Automaton           string   // and step through this function; "" for none
	Flags               []NumberFlag
	Buffers             []BufferSpec
	Opcodes             []OpcodeSpec
	Tasks               []TaskSpec
	Checks              []Check
	Progress            *ProgressSpec // nil: tasks that have ended

	fsys  fs.FS
	dir   string
	shown string // dir as errors and source positions show it
	file  string // of the manifest, as shown
	lines lineIndex
}

// NumberFlag is a number that the user may set.
type NumberFlag struct {
	Name              string
	Help              string
	Default, Min, Max uint32
}

// BufferSpec describes one of the workload's buffers.
type BufferSpec struct {
	Name        string
	Binding     uint32
	Words       Expr
	HasWords    bool // words is given
	Fill        Expr
	HasFill     bool
	File        string // initial contents, or ""
	Values      []uint32
	HostVisible bool
	Unordered   bool // its words depend on the order in which tasks ran
	Picture     *PictureSpec
}

// PictureSpec says how the words of a buffer are a picture.
type PictureSpec struct {
	Width, Height Expr
	Format        megakernel.PixelFormat
	Mean, Linear  bool
}

// OpcodeSpec binds an opcode to a handler function.
type OpcodeSpec struct {
	Number               uint32
	Name, Function, File string
	Cooperative          bool
}

// TaskSpec describes a run of initial tasks.
type TaskSpec struct {
	Opcode               uint32
	Count                Expr
	Priority             tasks.Priority
	Tenant               uint32
	Input, Output, Param Expr
}

// ProgressSpec says where the handlers count how far the work is.
type ProgressSpec struct {
	Buffer string
	Word   uint32 // of the buffer: the amount of work done, which only grows
	Total  *Expr  // nil while it is not known
	Unit   string // plural
}

// Check is what must hold at the end. Either Buffer is set together with one expectation, or the
// check is about the number of faulted tasks.
type Check struct {
	Buffer  string
	File    string
	Values  []uint32
	SHA256  string
	Value   *Expr
	Faulted uint32
}

// readStart reads a file, at most limit bytes of it.
func readStart(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// unread is the error about a manifest that cannot be read.
func (m *Manifest) unread(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return Invalid(ErrFile, m.file, "no such file", fs.ErrNotExist, "put a "+ManifestName+" into the workload's folder")
	}
	return Invalid(ErrFile, m.file, "cannot be read", causeOf(err), plainfile.Fix(err))
}

// causeOf is what is wrong with a file: the calls of package fs name the call and the file beside the cause, and a reader needs the
// cause.
func causeOf(err error) error {
	if call, ok := errors.AsType[*fs.PathError](err); ok {
		return call.Err
	}
	return err
}

// Load reads and checks dir/workload.toml in fsys. Every error matches
// ErrManifest; errors.Join combines several.
func Load(fsys fs.FS, dir string) (*Manifest, error) { return LoadNamed(fsys, dir, dir) }

// LoadNamed is Load with the folder shown as another name in errors and source positions: a path on
// disk, where fsys knows only what is below it.
func LoadNamed(fsys fs.FS, dir, shown string) (*Manifest, error) {
	m := &Manifest{fsys: fsys, dir: dir, shown: shown, file: path.Join(shown, ManifestName)}
	text, err := readStart(fsys, path.Join(dir, ManifestName), MaxManifestBytes+1)
	if err != nil {
		return nil, m.unread(err)
	}
	if len(text) > MaxManifestBytes {
		return nil, Invalid(ErrSize, m.file, "is larger than 1 MiB", nil, "move data into files of their own")
	}
	m.lines = indexLines(text)
	raw, err := decode(m.file, text)
	if err != nil {
		return nil, err
	}
	c := &checker{m: m}
	c.manifest(raw)
	if err := errors.Join(c.errs...); err != nil {
		return nil, err
	}
	return m, nil
}

// File is the manifest's name as errors show it.
func (m *Manifest) File() string { return m.file }

// decode turns TOML into the raw form, strictly.
func decode(file string, text []byte) (*rawManifest, error) {
	raw := &rawManifest{}
	d := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields()
	err := d.Decode(raw)
	if err == nil {
		return raw, nil
	}
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		return nil, unknownKeys(file, strict)
	}
	line := 0
	var de *toml.DecodeError
	if errors.As(err, &de) {
		line, _ = de.Position()
	}
	return nil, Invalid(ErrSyntax, Where(file, line, ""), "the text does not fit the format", err, "compare with the format in docs/workloads.md")
}

func unknownKeys(file string, strict *toml.StrictMissingError) error {
	var all []error
	for i := range strict.Errors {
		de := &strict.Errors[i]
		line, _ := de.Position()
		all = append(all, Invalid(ErrUnknownKey, Where(file, line, ""), joinKey(de.Key()), nil, "remove it, or correct its spelling; docs/workloads.md lists the keys"))
	}
	return errors.Join(all...)
}
