//go:build linux || darwin

package remote

import (
	"io/fs"
	"os"
	"syscall"
)

// lockFlags open a lock without following a link and without waiting for a pipe.
const lockFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ownerOf is the user that a file belongs to, and whether that is known.
func ownerOf(info fs.FileInfo) (uid int, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(s.Uid), true
}

// tryLock takes the lock of a file, or fails with EWOULDBLOCK where another process has it.
func tryLock(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
