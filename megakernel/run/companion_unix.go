//go:build unix

package run

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"vyretop/engine/plainfile"
)

// companionOf tells a process which run it accompanies.
const companionOf = "VYRETOP_COMPANION"

// StartCompanion starts this program, with the same arguments, in a process that outlives this one: it can tell of the run if it is killed.
// file is where the run keeps its end while it lasts.
func StartCompanion(args, environ []string, file string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(self, args...)
	c.Env = append(slices.Clone(environ), companionOf+"="+file)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // signals to the group of the run do not reach it
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}

// Accompanied is the file of the run that this process is the companion of, "" for other processes.
func Accompanied(environ []string) string {
	for _, v := range slices.Backward(environ) {
		if file, ok := strings.CutPrefix(v, companionOf+"="); ok {
			return file
		}
	}
	return ""
}

// AwaitEnd waits until the process of a run that keeps its end in a file is gone, or the context ends, which is its error.
func AwaitEnd(ctx context.Context, file string) error {
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		lock, err := plainfile.Open(file + lockSuffix)
		if err != nil {
			return // it is gone
		}
		_ = plainfile.Await(lock) // without locks nothing is kept
		_ = lock.Close()          // nothing was written
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
