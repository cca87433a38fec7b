package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
)

const suffix = ".sock"

// Dir is the directory of the sockets, by an environment of entries "NAME=value". It need not exist.
func Dir(environ []string) string {
	if runtime := plainfile.Lookup(environ, "XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		return filepath.Join(runtime, "vyretop")
	}
	temporary := plainfile.Lookup(environ, "TMPDIR")
	if temporary == "" {
		temporary = "/tmp"
	}
	return filepath.Join(temporary, fmt.Sprintf("vyretop-%d", os.Getuid()))
}

// Running is a target that can be reached.
type Running struct {
	Name    string
	Process int // that serves it
}

// Targets lists the names of the targets that Live lists.
func Targets(dir string) ([]string, error) {
	live, err := Live(dir)
	var names []string
	for _, r := range live {
		names = append(names, r.Name)
	}
	return names, err
}

// Live lists the targets that can be reached, in the order of their names, without those of other users, and removes sockets
// without a listener. The error is ErrUntrusted: another user may have made the directory. A missing directory has no targets.
func Live(dir string) ([]Running, error) {
	if err := trust(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, &fault.Error{Kind: ErrUntrusted, Subject: dir, Detail: err.Error() + "; not used", Fix: ownDirFix}
	}
	var live []Running
	var stale []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok || e.Type() != fs.ModeSocket {
			continue
		}
		switch p, err := knock(filepath.Join(dir, e.Name())); {
		case err == nil:
			live = append(live, Running{Name: name, Process: int(p.pid)})
		case errors.Is(err, syscall.ECONNREFUSED):
			stale = append(stale, filepath.Join(dir, e.Name()))
		}
	}
	removeStale(dir, stale)
	slices.SortFunc(live, func(a, b Running) int { return strings.Compare(a.Name, b.Name) })
	return live, nil
}

// knock connects to a socket and returns the process that listens: ECONNREFUSED says that it has no listener, ErrUntrusted that
// another user's process listens.
func knock(path string) (peer, error) {
	c, err := net.Dial("unix", path)
	if err != nil {
		return peer{}, err
	}
	defer c.Close()
	return checkPeer(c, path, os.Getuid())
}

// refuses reports whether a socket has no listener.
func refuses(path string) bool {
	_, err := knock(path)
	return errors.Is(err, syscall.ECONNREFUSED)
}

// removeStale removes sockets without a listener. It takes the lock and tries again: a socket that is being made refuses
// connections briefly. The process that has the lock does the same, so there is no need to wait for it.
func removeStale(dir string, paths []string) {
	if len(paths) == 0 {
		return
	}
	lock, err := lockDir(dir, 0)
	if err != nil {
		return // they do no harm
	}
	defer lock.Close()
	for _, path := range paths {
		if isSocket(path) && refuses(path) {
			_ = os.Remove(path)
		}
	}
}

func isSocket(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().Type() == fs.ModeSocket
}

const ownDirFix = "set XDG_RUNTIME_DIR to a directory of yours with mode 700"

// trust checks that no other user can have made or changed what is in a directory: it is one, not a symbolic link, of
// this user, with no permissions for others; and the directory above belongs to this user or root, and others may not
// rename what is in it. The error wraps fs.ErrNotExist, or is ErrUntrusted.
func trust(dir string) error {
	info, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	untrusted := func(path, format string, args ...any) error {
		return &fault.Error{Kind: ErrUntrusted, Subject: path, Detail: fmt.Sprintf(format, args...) + "; not used", Fix: ownDirFix}
	}
	if err != nil {
		return untrusted(dir, "%v", err)
	}
	owner, known := ownerOf(info)
	switch {
	case !info.IsDir():
		return untrusted(dir, "not a directory")
	case !known:
		return &fault.Error{Kind: ErrUntrusted, Subject: dir, Detail: "this system does not say which user owns it; not used", Fix: "use recordings: vyretop run --record FILE"}
	case owner != os.Getuid():
		return untrusted(dir, "belongs to another user")
	case info.Mode().Perm()&0o077 != 0:
		return untrusted(dir, "mode %#o lets other users in", info.Mode().Perm())
	}
	parent := filepath.Dir(dir)
	info, err = os.Stat(parent)
	if err != nil {
		return untrusted(parent, "%v", err)
	}
	owner, known = ownerOf(info)
	if !known || owner != 0 && owner != os.Getuid() {
		return untrusted(parent, "belongs to another user")
	}
	if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return untrusted(parent, "other users may write there, and it is not sticky")
	}
	return nil
}

// prepare makes the directory.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: dir, Detail: "cannot create the directory", Cause: err, Fix: ownDirFix}
	}
	err := trust(dir)
	var untrusted *fault.Error
	if errors.Is(err, ErrUntrusted) && errors.As(err, &untrusted) {
		return &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: untrusted.Subject, Detail: strings.TrimSuffix(untrusted.Detail, "; not used"), Cause: ErrUntrusted, Fix: untrusted.Fix}
	}
	return err
}

// claim listens on the first free name: base, base-2 and so on. A lock keeps two processes from
// taking the same one.
func claim(dir, base string) (*net.UnixListener, string, error) {
	if err := prepare(dir); err != nil {
		return nil, "", err
	}
	lock, err := lockDir(dir, lockTime)
	if err != nil {
		return nil, "", err
	}
	defer lock.Close() // unlocks
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		path := filepath.Join(dir, name+suffix)
		_, missing := os.Lstat(path)
		switch _, err := knock(path); {
		case errors.Is(missing, fs.ErrNotExist):
		case !isSocket(path), err == nil, errors.Is(err, syscall.EAGAIN), errors.Is(err, ErrUntrusted): // taken: by another file, or by a listener, perhaps a slow one
			continue
		case errors.Is(err, syscall.ECONNREFUSED):
			_ = os.Remove(path)
		}
		l, err := listen(path)
		return l, name, err
	}
}

// lockTime is how long to wait for the lock: it is held while a socket is made, for milliseconds.
const lockTime = 2 * time.Second

// lockDir takes the lock of a directory; closing the file gives it back.
func lockDir(dir string, wait time.Duration) (*os.File, error) {
	const poll = 5 * time.Millisecond
	path := filepath.Join(dir, ".lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|lockFlags, 0o600)
	if err != nil {
		return nil, &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: path, Detail: "cannot open the lock", Cause: err, Fix: lockFix(err)}
	}
	for end := time.Now().Add(wait); ; time.Sleep(poll) {
		err = tryLock(f)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(end) {
			f.Close()
			return nil, &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: path, Detail: "cannot take the lock", Cause: err, Fix: "end the process that holds it (fuser " + path + ")"}
		}
	}
}

// lockFix is what to do about a lock that cannot be opened: to remove what is not a file of ours.
func lockFix(err error) string {
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENXIO) {
		return "remove the file"
	}
	return plainfile.Fix(err)
}

// listen makes a socket, and leaves none where it fails. The lock is held, so that no other process makes it.
func listen(path string) (*net.UnixListener, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		if isSocket(path) && refuses(path) {
			_ = os.Remove(path) // it has a name, and no listener
		}
		return nil, &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: path, Detail: "cannot create the socket", Cause: err, Fix: "set XDG_RUNTIME_DIR to a directory with a short path, which allows sockets"}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, &fault.Error{Kind: ErrListen, Op: "cannot listen on", Subject: path, Detail: "cannot set its mode", Cause: err, Fix: "set XDG_RUNTIME_DIR to a directory on a file system with permissions"}
	}
	return l, nil
}

// cleanName makes a workload's name fit for a file.
func cleanName(workload string) string {
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, workload)
	name = strings.TrimLeft(name, ".-")
	if name == "" {
		return "run"
	}
	return name[:min(len(name), 40)]
}
