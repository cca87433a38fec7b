package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// overseenCommand is the name under which the test binary has the kernel ask a test before each call of vyretop that could
// fail. Go programs make their system calls themselves, so that no library stands between.
const overseenCommand = "vyretop-overseen"

func init() { programs[overseenCommand] = overseen }

// callKind is a system call that can be made to fail: what it is called, which errors it gives for a file and for a socket,
// and which argument says what it is about.
type callKind struct {
	name     string
	files    []syscall.Errno
	sockets  []syscall.Errno
	path, fd int // arguments; -1 for none
}

var (
	readErrors  = []syscall.Errno{syscall.EIO}
	writeErrors = []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EDQUOT}
	openErrors  = []syscall.Errno{syscall.EMFILE, syscall.EACCES, syscall.EIO}
	nameErrors  = []syscall.Errno{syscall.EACCES, syscall.ENOSPC, syscall.EROFS}
	stateErrors = []syscall.Errno{syscall.ENOBUFS}
)

// callKinds are the calls that may fail. The net package relies on getsockname and getpeername, which do not fail for sockets
// that are open.
var callKinds = map[int32]callKind{
	unix.SYS_OPENAT:     {"openat", openErrors, nil, 1, -1},
	unix.SYS_READ:       {"read", readErrors, []syscall.Errno{syscall.ECONNRESET, syscall.ETIMEDOUT}, -1, 0},
	unix.SYS_PREAD64:    {"pread", readErrors, nil, -1, 0},
	unix.SYS_WRITE:      {"write", writeErrors, []syscall.Errno{syscall.EPIPE, syscall.ENOBUFS}, -1, 0},
	unix.SYS_PWRITE64:   {"pwrite", writeErrors, nil, -1, 0},
	unix.SYS_FSYNC:      {"fsync", []syscall.Errno{syscall.EIO, syscall.ENOSPC}, nil, -1, 0},
	unix.SYS_FDATASYNC:  {"fdatasync", []syscall.Errno{syscall.EIO, syscall.ENOSPC}, nil, -1, 0},
	unix.SYS_FTRUNCATE:  {"ftruncate", writeErrors, nil, -1, 0},
	unix.SYS_FSTAT:      {"fstat", readErrors, nil, -1, 0},
	unix.SYS_NEWFSTATAT: {"stat", []syscall.Errno{syscall.EACCES, syscall.EIO}, nil, 1, -1},
	unix.SYS_LSEEK:      {"lseek", readErrors, nil, -1, 0},
	unix.SYS_GETDENTS64: {"getdents", readErrors, nil, -1, 0},
	unix.SYS_FLOCK:      {"flock", []syscall.Errno{syscall.ENOLCK, syscall.EIO}, nil, -1, 0},
	unix.SYS_FCHMOD:     {"fchmod", nameErrors, nil, -1, 0},
	unix.SYS_FCHMODAT:   {"chmod", nameErrors, nil, 1, -1},
	unix.SYS_MKDIRAT:    {"mkdir", nameErrors, nil, 1, -1},
	unix.SYS_UNLINKAT:   {"unlink", nameErrors, nil, 1, -1},
	unix.SYS_RENAMEAT:   {"rename", nameErrors, nil, 1, -1},
	unix.SYS_RENAMEAT2:  {"rename", nameErrors, nil, 1, -1},
	unix.SYS_LINKAT:     {"link", nameErrors, nil, 1, -1},
	unix.SYS_READLINKAT: {"readlink", openErrors, nil, 1, -1},
	unix.SYS_CLOSE:      {"close", writeErrors, nil, -1, 0},
	unix.SYS_BIND:       {"bind", nil, []syscall.Errno{syscall.EADDRINUSE, syscall.EACCES}, -1, 0},
	unix.SYS_LISTEN:     {"listen", nil, []syscall.Errno{syscall.EADDRINUSE}, -1, 0},
	unix.SYS_ACCEPT4:    {"accept", nil, []syscall.Errno{syscall.EMFILE, syscall.ECONNABORTED, syscall.ENOMEM}, -1, 0},
	unix.SYS_CONNECT:    {"connect", nil, []syscall.Errno{syscall.ECONNREFUSED, syscall.EAGAIN, syscall.EACCES}, -1, 0},
	unix.SYS_GETSOCKOPT: {"getsockopt", nil, stateErrors, -1, 0},
	unix.SYS_SETSOCKOPT: {"setsockopt", nil, stateErrors, -1, 0},
	unix.SYS_SHUTDOWN:   {"shutdown", nil, stateErrors, -1, 0},
}

// overseen becomes vyretop, after it has handed the test what the kernel asks before calls.
func overseen() {
	err := becomeOverseen()
	fmt.Fprintln(os.Stderr, overseenCommand+":", err)
	os.Exit(99)
}

func becomeOverseen() error {
	path, err := exec.LookPath("vyretop")
	if err != nil {
		return err
	}
	runtime.LockOSThread() // the filter is of a thread, and of what it executes
	var code []unix.SockFilter
	numbers := slices.Sorted(func(yield func(int32) bool) {
		for n := range callKinds {
			if !yield(n) {
				return
			}
		}
	})
	code = append(code, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}) // the number of the call
	for i, n := range numbers {
		code = append(code, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(numbers) - i), K: uint32(n)})
	}
	code = append(code, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW}, unix.SockFilter{Code: unix.BPF_RET, K: unix.SECCOMP_RET_USER_NOTIF})
	fd, err := filterCalls(code)
	if err != nil {
		return err
	}
	if err := unix.Sendmsg(3, []byte{0}, unix.UnixRights(fd), nil, 0); err != nil {
		return err
	}
	return syscall.Exec(path, append([]string{"vyretop"}, os.Args[1:]...), os.Environ())
}

// overseer answers the kernel before each call of a process that is about a file below a folder, or a socket of the host.
type overseer struct {
	below string // the folder
	dir   string // what is cut off the names of files in it
	nth   int    // of these calls fails, from 1 on; 0 for none
	which int    // of the errors that the call can give

	run    *overseenRun
	mu     sync.Mutex
	calls  []string // that were asked about
	failed string   // the one that failed, with its error
	more   bool     // it can give another error, too
}

// serve answers until the process and all that it has started are gone.
func (o *overseer) serve(listener int) error {
	for {
		ready := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(ready, -1); errors.Is(err, syscall.EINTR) {
			continue
		} else if err != nil {
			return err
		}
		if ready[0].Revents&unix.POLLIN == 0 {
			return nil
		}
		var n notification
		if errno := n.receive(listener); errno == syscall.ENOENT || errno == syscall.EINTR {
			continue // its process is gone
		} else if errno != 0 {
			return errno
		}
		a := answer{ID: n.ID, Flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		if errno := o.decide(&n); errno != 0 {
			a.Flags, a.Error = 0, -int32(errno)
		}
		if errno := a.send(listener); errno != 0 && errno != syscall.ENOENT {
			return errno
		}
	}
}

// decide is the error of a call, or 0 where it may be made.
func (o *overseer) decide(n *notification) syscall.Errno {
	kind := callKinds[n.Number]
	about := ""
	if kind.path >= 0 {
		about = stringOf(n.PID, n.Args[kind.path])
	} else {
		about, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", n.PID, int32(n.Args[kind.fd]))) // "" for one that is closed
	}
	possible := kind.files
	switch {
	case strings.HasPrefix(about, "socket:"):
		about, possible = "socket", kind.sockets
	case !strings.HasPrefix(about, o.below):
		return 0
	}
	if len(possible) == 0 {
		return 0
	}
	call := kind.name + " " + strings.TrimPrefix(strings.TrimPrefix(about, o.dir), o.below)
	switch call {
	case "read socket":
		o.run.reads.happens()
	case "accept socket":
		o.run.listens.happens()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls = append(o.calls, call)
	if len(o.calls) != o.nth {
		return 0
	}
	errno := possible[o.which%len(possible)]
	o.failed, o.more = fmt.Sprintf("%s: %s", call, unix.ErrnoName(errno)), o.which+1 < len(possible)
	return errno
}

// stringOf is a string in the memory of a process.
func stringOf(pid uint32, at uint64) string {
	f, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return ""
	}
	defer f.Close()
	text := make([]byte, unix.PathMax)
	n, _ := f.ReadAt(text, int64(at)) // as far as its memory goes
	text, _, _ = bytes.Cut(text[:n], []byte{0})
	return string(text)
}

// overseenRun is a process whose calls an overseer answers.
type overseenRun struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
	reads          *event // from a socket
	listens        *event // or says that it cannot
	served         chan error
	ended          chan struct{} // closed when it is gone
	cancel         context.CancelFunc
	ctx            context.Context
}

// Write implements io.Writer for stderr.
func (r *overseenRun) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("cannot attach")) {
		r.listens.happens()
	}
	return r.stderr.Write(p)
}

// event is something that happens once or more often.
type event struct {
	once sync.Once
	done chan struct{} // closed when it has happened
}

func newEvent() *event { return &event{done: make(chan struct{})} }

func (e *event) happens() { e.once.Do(func() { close(e.done) }) }

// start starts vyretop with arguments.
func (o *overseer) start(t *testing.T, limit time.Duration, env []string, args ...string) *overseenRun {
	t.Helper()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	theirs := os.NewFile(uintptr(pair[1]), "pair")
	defer theirs.Close()
	defer unix.Close(pair[0])
	r := &overseenRun{served: make(chan error, 1), reads: newEvent(), listens: newEvent(), ended: make(chan struct{})}
	o.run = r
	r.ctx, r.cancel = context.WithTimeout(t.Context(), limit)
	r.cmd = exec.CommandContext(r.ctx, overseenCommand, args...)
	r.cmd.Env = append(os.Environ(), env...)
	r.cmd.Stdout, r.cmd.Stderr, r.cmd.ExtraFiles = &r.stdout, r, []*os.File{theirs}
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	listener, err := receiveFile(pair[0], theirs)
	if err != nil {
		r.cancel()
		_ = r.cmd.Wait()
		t.Skipf("the kernel does not let a test answer calls here: %v: %s", err, &r.stderr)
	}
	go func() {
		err := o.serve(listener)
		r.served <- errors.Join(err, unix.Close(listener))
		close(r.ended)
	}()
	return r
}

// receiveFile is the file that is sent through a socket, whose other end the sender has alone from then on.
func receiveFile(socket int, theirs io.Closer) (int, error) {
	_ = theirs.Close()
	rights := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), rights, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return 0, err
	}
	if n < len(rights) {
		return 0, errors.New("nothing was sent")
	}
	return int(binary.NativeEndian.Uint32(rights[unix.CmsgLen(0):])), nil
}

// wait returns the exit status; -1 for a process that had to be killed.
func (r *overseenRun) wait(t *testing.T) int {
	t.Helper()
	defer r.cancel()
	err := r.cmd.Wait()
	if err := <-r.served; err != nil {
		t.Error(err)
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return r.cmd.ProcessState.ExitCode()
}

// leftovers are the sockets in a runtime directory.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "vyretop", "*.sock"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
