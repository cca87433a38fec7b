package plainfile

import (
	"errors"
	"io/fs"
	"syscall"
)

// fixes are what to do about the errors of calls on files; the first that matches decides.
var fixes = []struct {
	err error
	fix string
}{
	{fs.ErrNotExist, "check the name"},
	{syscall.EISDIR, "name a file in this folder"},
	{ErrSpecial, "name a regular file"},
	{ErrTooLarge, "name a smaller file"},
	{syscall.EROFS, "name a file on a disk that can be written"},
	{fs.ErrPermission, "check its permissions and those of its folder"},
	{syscall.ENXIO, "start what reads it first, or name a file"},
	{syscall.ENOSPC, "make room there, or name another file"},
	{syscall.EDQUOT, "make room there, or name another file"},
	{syscall.EMFILE, "raise the limit of open files (ulimit -n)"},
	{syscall.ENFILE, "end other programs: the system has too many open files"},
	{syscall.EIO, "check the disk, or name a file on another one"},
}

// Fix is what a user can do about an error of opening, reading or writing a file.
func Fix(err error) string {
	for _, f := range fixes {
		if errors.Is(err, f.err) {
			return f.fix
		}
	}
	return "check the name, its permissions and the disk"
}
