package plainfile

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vyretop/engine/fault"
)

// errNotRegular is why a file is not replaced: a device or a pipe would be gone.
var errNotRegular = errors.New("it exists and is not a regular file")

// Private is the mode of files that hold what a run worked on or how it went: recordings, exports, captures, black boxes. They may
// hold the contents of files that the run has read. What a run or a dispatch computes and the user names (--out) has OutputMode.
const (
	Private    os.FileMode = 0o600
	OutputMode os.FileMode = 0o644
)

// Unfinished ends the name of a file that is being written beside its place: .NAME-NUMBER.part. One stays where the process is killed.
const Unfinished = ".part"

// Replace writes a file beside its place and then puts it there, so that half of it is never seen and a failure leaves what was there.
// A link stays: the file that it leads to is replaced. What is there and is not a regular file is refused. Permissions are those of
// mode. Errors are of the file system and of write.
func Replace(path string, mode os.FileMode, write func(io.Writer) error) (err error) {
	if path == Stdout {
		return errStdout
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return errNotRegular
	}
	part, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*"+Unfinished)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name()) // what failed is what counts
		}
		if failed := (*fs.PathError)(nil); errors.As(err, &failed) && failed.Path == part.Name() {
			failed.Path = path // the name that is known
		}
	}()
	buffered := bufio.NewWriter(part)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Chmod(part.Name(), mode)
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	return err
}

// Put replaces a file, or writes to what is there and is not a regular one: a pipe or a device.
func Put(path string, mode os.FileMode, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return Replace(path, mode, write)
	}
	f, err := OpenNew(path, mode)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(f)
	if err = write(buffered); err == nil {
		err = buffered.Flush()
	}
	return errors.Join(err, f.Close())
}

// Stdout is the name by which other programs mean their standard output. A file here has it only with a folder: ./-
const Stdout = "-"

// errStdout is why no file of that name is written.
var errStdout = &fault.Error{Kind: ErrSpecial, Detail: "it stands for the standard output, which has other text"}

// OpenNew opens a file for writing, and empties it. Opening a fifo that no process reads would wait for ever: that is an error.
func OpenNew(path string, mode os.FileMode) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if path == Stdout {
		return nil, errStdout
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return os.OpenFile(path, flags, mode)
	}
	probe, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer probe.Close() // after the other, or its reader would see an end
	return os.OpenFile(path, flags, mode)
}
