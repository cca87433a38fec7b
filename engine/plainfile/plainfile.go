// Package plainfile opens the files that users name, and refuses what is not a regular file before it is opened for
// reading: a pipe or a terminal would block, a device could act, and a file of /proc may wait for events forever.
package plainfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"vyretop/engine/fault"
)

// ErrSpecial is matched by errors about what is not a regular file.
const ErrSpecial fault.Kind = "not a regular file"

// ErrTooLarge is matched by errors about files of more bytes than are read.
const ErrTooLarge fault.Kind = "too large"

// special says what a file is in place of a regular one, or gives the error of the system about it. It is the cause of a
// *fs.PathError, which has the path; what to do is in the caller's error.
func special(what string, err error) error {
	if err != nil {
		return &fault.Error{Kind: ErrSpecial, Cause: err}
	}
	return &fault.Error{Kind: ErrSpecial, Detail: "it is " + what + ", not a regular file"}
}

// Open opens a regular file for reading. The error is a *fs.PathError; that of another kind of file matches ErrSpecial,
// and that of a folder syscall.EISDIR, too.
func Open(path string) (*os.File, error) {
	return open(path, func() (fs.FileInfo, error) { return os.Stat(path) }, func(flags int) (*os.File, error) { return os.OpenFile(path, flags, 0) })
}

// open opens a file by functions that look at it and open it; path is what errors call it.
func open(path string, stat func() (fs.FileInfo, error), open func(flags int) (*os.File, error)) (*os.File, error) {
	info, err := stat() // opening some devices does something
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		return nil, err
	}
	f, err := open(os.O_RDONLY | syscall.O_NONBLOCK) // it may have become another since
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = check(path, info)
	}
	if err == nil && madeUp(f) {
		err = &fs.PathError{Op: "open", Path: path, Err: special("made up by the system as it is read", nil)}
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// check refuses what is not a regular file.
func check(path string, info fs.FileInfo) error {
	mode := info.Mode()
	refuse := func(what string, err error) error {
		return &fs.PathError{Op: "open", Path: path, Err: special(what, err)}
	}
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return refuse("a folder", syscall.EISDIR)
	case mode&fs.ModeNamedPipe != 0:
		return refuse("a pipe", nil)
	case mode&fs.ModeSocket != 0:
		return refuse("a socket", nil)
	case mode&fs.ModeDevice != 0:
		return refuse("a device", nil)
	}
	return refuse("a special file", nil)
}

// Begins reports whether a regular file begins with a text, which identifies its format.
func Begins(path, with string) bool {
	f, err := Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(with))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == with
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, path, limit)
}

func read(f *os.File, path string, limit int64) ([]byte, error) {
	tooLarge := &fs.PathError{Op: "read", Path: path, Err: &fault.Error{Kind: ErrTooLarge, Detail: fmt.Sprintf("it has more than %d bytes", limit)}}
	if info, err := f.Stat(); err == nil && info.Size() > limit {
		return nil, tooLarge
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1)) // it may grow
	if err == nil && int64(len(b)) > limit {
		err = tooLarge
	}
	return b, err
}
