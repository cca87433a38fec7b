package plainfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vyretop/engine/fault"
)

// ErrOutside is the cause of errors about a file that a folder does not hold: its name leads out of the folder, through a
// symbolic link, "..", or from the root.
const ErrOutside fault.Kind = "it is outside the folder, or a symbolic link leads there"

// Dir is a folder of which only files and folders inside are opened. As an fs.FS it refuses, as Open does, what is
// neither a regular file nor a folder.
type Dir string

// Open implements fs.FS.
func (d Dir) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(name); err == nil && info.IsDir() {
		return root.Open(name)
	}
	return d.open(root, filepath.FromSlash(name))
}

// Read reads a regular file inside the folder, of at most limit bytes.
func (d Dir) Read(name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := d.open(root, filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, f.Name(), limit)
}

func (d Dir) open(root *os.Root, name string) (*os.File, error) {
	path := filepath.Join(string(d), name)
	if filepath.IsAbs(name) {
		path = name
	}
	f, err := open(path, func() (fs.FileInfo, error) { return root.Stat(name) }, func(flags int) (*os.File, error) { return root.OpenFile(name, flags, 0) })
	if err == nil || errors.Is(err, ErrSpecial) {
		return f, err
	}
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: number} // os.Root names its own calls, such as statat
	}
	return nil, &fs.PathError{Op: "open", Path: path, Err: ErrOutside} // it has an error of its own for that
}
