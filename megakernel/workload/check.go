package workload

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
)

// checker turns the raw form into a Manifest and collects every problem.
type checker struct {
	m    *Manifest
	errs []error
}

// itemKey is the key of item i of a list in the line index.
func itemKey(list string, i int) string { return list + "." + strconv.Itoa(i) }

// place is where in the manifest a problem is: the key, and the item as people call it.
type place struct{ key, item string }

func (p place) at(key string) place { return place{p.key + "." + key, p.item} }

func (c *checker) fail(at place, kind fault.Kind, fix, detail string, args ...any) {
	c.failWith(at, kind, nil, fix, detail, args...)
}

func (c *checker) failWith(at place, kind fault.Kind, cause error, fix, detail string, args ...any) {
	c.errs = append(c.errs, Invalid(kind, Where(c.m.file, c.m.lines.find(at.key), at.item), fmt.Sprintf(detail, args...), cause, fix))
}

func (c *checker) manifest(raw *rawManifest) {
	m := c.m
	m.Name, m.Title, m.Driver, m.Examples = raw.Name, raw.Title, raw.Driver, raw.Examples
	if !isName(m.Name) {
		c.fail(place{key: "name"}, ErrValue, `write name = "…" with letters, digits, - and _`, "%q is not a name", m.Name)
	}
	m.UnorderedSpawns, m.UnorderedResults = raw.Unordered, raw.AnyResults
	m.Iterations = c.number(place{key: "iterations"}, raw.Iterations, 0, 1, MaxIterations)
	c.operations(raw)
	for i, f := range raw.Flag {
		c.flag(place{itemKey("flag", i), fmt.Sprintf("flag %q", f.Name)}, f)
	}
	for i, b := range raw.Buffer {
		c.buffer(place{itemKey("buffer", i), fmt.Sprintf("buffer %q", b.Name)}, b)
	}
	for i, o := range raw.Opcode {
		c.opcode(place{itemKey("opcode", i), fmt.Sprintf("opcode %q", o.Name)}, o)
	}
	if len(raw.Opcode) == 0 && !m.Operations {
		c.fail(place{key: "opcode"}, ErrMissing, "add an [[opcode]] with number, name, handler and file", "the manifest has no opcode")
	}
	for i, t := range raw.Task {
		c.task(place{itemKey("task", i), fmt.Sprintf("task %d", i+1)}, t)
	}
	if len(raw.Task) == 0 && m.Driver == "" {
		c.fail(place{key: "task"}, ErrMissing, "add a [[task]] with an opcode", "the manifest has no initial task")
	}
	if raw.Progress != nil {
		c.progress(place{"progress", "the progress"}, raw.Progress)
	}
	for i, v := range raw.Verify {
		c.verify(place{itemKey("verify", i), fmt.Sprintf("check %d", i+1)}, v)
	}
}

// number checks an optional integer against bounds.
func (c *checker) number(at place, v *int64, def, lo, hi uint32) uint32 {
	if v == nil {
		return def
	}
	if *v < int64(lo) || *v > int64(hi) {
		c.fail(at, ErrValue, fmt.Sprintf("use %d..%d", lo, hi), "%d is out of range", *v)
		return def
	}
	return uint32(*v)
}

// expr parses an optional expression and checks the flags in it.
func (c *checker) expr(at place, v any) (e Expr, given bool) {
	if v == nil {
		return Expr{}, false
	}
	e, err := ParseExpr(v)
	if err != nil {
		c.failWith(at, ErrValue, err, `use an integer, "index", "$flag", or two of them with + - * / % between`, "not an expression")
		return Expr{}, true
	}
	for _, name := range e.Flags() {
		if _, ok := c.m.flag(name); !ok {
			c.fail(at, ErrValue, "add a [[flag]] of that name before it is used", "unknown flag %q", name)
		}
	}
	return e, true
}

func (c *checker) flag(at place, f rawFlag) {
	if !isName(f.Name) {
		c.fail(at, ErrValue, "give it a name of letters, digits, - and _", "%q is not a name", f.Name)
		return
	}
	if _, ok := c.m.flag(f.Name); ok {
		c.fail(at, ErrDuplicate, "rename one", "there are two flags of that name")
	}
	if f.Default == nil {
		c.fail(at, ErrMissing, "add default = N", "it has no default")
	}
	n := NumberFlag{Name: f.Name, Help: f.Help}
	n.Min = c.number(at.at("min"), f.Min, 0, 0, math.MaxUint32)
	n.Max = c.number(at.at("max"), f.Max, math.MaxUint32, 0, math.MaxUint32)
	if n.Min > n.Max {
		c.fail(at.at("min"), ErrValue, "exchange min and max", "min %d is above max %d", n.Min, n.Max)
		n.Max = n.Min
	}
	n.Default = c.number(at.at("default"), f.Default, n.Min, n.Min, n.Max)
	c.m.Flags = append(c.m.Flags, n)
}

func (m *Manifest) flag(name string) (NumberFlag, bool) {
	for _, f := range m.Flags {
		if f.Name == name {
			return f, true
		}
	}
	return NumberFlag{}, false
}

// file checks that a named file lies in the folder, is a regular file, is not empty and not absurd.
func (c *checker) file(at place, name string, maxBytes int64) bool {
	full := path.Join(c.m.dir, name)
	if !fs.ValidPath(name) || name == "." {
		c.fail(at, ErrFile, "name a file inside the workload's folder, with / and without ..", "%q is not a path inside the folder", name)
		return false
	}
	info, err := fs.Stat(c.m.fsys, full)
	switch {
	case err != nil:
		c.failWith(at, ErrFile, causeOf(err), "add the file, or correct the name", "%q cannot be read", name)
	case !info.Mode().IsRegular():
		c.fail(at, ErrFile, "name a regular file", "%q is not a regular file", name)
	case info.Size() == 0:
		c.fail(at, ErrFile, "put the contents into it", "%q is empty", name)
	case info.Size() > maxBytes:
		c.fail(at, ErrSize, fmt.Sprintf("use at most %d bytes", maxBytes), "%q has %d bytes", name, info.Size())
	default:
		return true
	}
	return false
}

// ReadFile reads a file of the workload's folder, which may have grown since the manifest was checked.
func (m *Manifest) ReadFile(name string) ([]byte, error) {
	const most = 4 * MaxBufferWords
	data, err := readStart(m.fsys, path.Join(m.dir, name), most+1)
	if len(data) > most {
		return nil, Invalid(ErrSize, Where(m.file, 0, name), fmt.Sprintf("it has more than %d bytes", most), nil, "use a smaller file")
	}
	if err != nil {
		return nil, Invalid(ErrFile, Where(m.file, 0, name), "cannot be read", causeOf(err), plainfile.Fix(err))
	}
	return data, nil
}

// source reads a handler file.
func (m *Manifest) source(name string) (*source.File, error) {
	text, err := m.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &source.File{Name: path.Join(m.shown, name), Text: string(text)}, nil
}

// isName reports whether s can name a workload, flag, buffer or opcode.
func isName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, nameRunes) == ""
}

const nameRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
