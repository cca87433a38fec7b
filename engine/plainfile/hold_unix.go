//go:build linux || darwin

package plainfile

import (
	"errors"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// Hold marks a file as one that this process writes, until it closes the file or ends. It is false if another process has marked it. Where
// the file system has no locks, nothing happens.
func Hold(f *os.File) bool {
	for {
		if err := lock(f, unix.LOCK_EX); !errors.Is(err, unix.EWOULDBLOCK) {
			return true
		}
		if Held(f) {
			return false
		}
		runtime.Gosched() // another process is looking whether it is held
	}
}

// Held reports whether a process that Hold was called in still writes a file.
func Held(f *os.File) bool {
	err := lock(f, unix.LOCK_SH)
	if err == nil {
		_ = lock(f, unix.LOCK_UN)
	}
	return errors.Is(err, unix.EWOULDBLOCK)
}

// Await waits until no process holds a file.
func Await(f *os.File) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) {
		for {
			if failed = unix.Flock(int(fd), unix.LOCK_SH); !errors.Is(failed, unix.EINTR) {
				return
			}
		}
	})
	return errors.Join(err, failed, lock(f, unix.LOCK_UN))
}

// lock changes the lock of a file without waiting. It leaves the descriptor as it is: os.File.Fd would make a pipe's blocking.
func lock(f *os.File, how int) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = unix.Flock(int(fd), how|unix.LOCK_NB) })
	return errors.Join(err, failed)
}
