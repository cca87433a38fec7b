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
)

const suffix = ".sock"

// Dir is the directory of the sockets, by an environment of entries "NAME=value". It need not exist.
func Dir(environ []string) string {
	if runtime := lookup(environ, "XDG_RUNTIME_DIR"); filepath.IsAbs(runtime) {
		return filepath.Join(runtime, "vyretop")
	}
	temporary := lookup(environ, "TMPDIR")
	if temporary == "" {
		temporary = "/tmp"
	}
	return filepath.Join(temporary, fmt.Sprintf("vyretop-%d", os.Getuid()))
}

func lookup(environ []string, name string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		if k, v, ok := strings.Cut(environ[i], "="); ok && k == name {
			return v
		}
	}
	return ""
}

// Targets lists the names of the targets that can be reached, in order. Sockets that nobody listens on
// are removed.
func Targets(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // no directory, no targets
	}
	var names, stale []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), suffix)
		if !ok {
			continue
		}
		switch err := knock(filepath.Join(dir, e.Name())); {
		case err == nil:
			names = append(names, name)
		case errors.Is(err, syscall.ECONNREFUSED):
			stale = append(stale, filepath.Join(dir, e.Name()))
		}
	}
	removeStale(dir, stale)
	slices.Sort(names)
	return names
}

// knock connects to a socket: ECONNREFUSED says that nobody listens.
func knock(path string) error {
	c, err := net.Dial("unix", path)
	if err != nil {
		return err
	}
	return c.Close()
}

// removeStale removes sockets that nobody listens on. It takes the lock and looks again: one that is
// being made refuses connections for a moment.
func removeStale(dir string, paths []string) {
	if len(paths) == 0 {
		return
	}
	lock, err := lockDir(dir)
	if err != nil {
		return // they do no harm
	}
	defer lock.Close()
	for _, path := range paths {
		if errors.Is(knock(path), syscall.ECONNREFUSED) {
			_ = os.Remove(path)
		}
	}
}

// prepare makes the directory, and refuses one that others could write to.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return &ListenError{Path: dir, Detail: "the directory cannot be made", Err: err, Fix: "set XDG_RUNTIME_DIR to a directory of yours"}
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return &ListenError{Path: dir, Detail: "the directory cannot be read", Err: err, Fix: "set XDG_RUNTIME_DIR to a directory of yours"}
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(owner.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return &ListenError{Path: dir, Detail: "others may write there", Err: fs.ErrPermission, Fix: "remove it, or chmod 700 it if it is yours"}
	}
	return nil
}

// claim listens on the first free name: base, base-2 and so on. A lock keeps two processes from
// taking the same one.
func claim(dir, base string) (*net.UnixListener, string, error) {
	if err := prepare(dir); err != nil {
		return nil, "", err
	}
	lock, err := lockDir(dir)
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
		switch err := knock(path); {
		case err == nil, errors.Is(err, syscall.EAGAIN): // somebody listens, perhaps too slowly
			continue
		case errors.Is(err, syscall.ECONNREFUSED):
			_ = os.Remove(path)
		}
		l, err := listen(path)
		return l, name, err
	}
}

func lockDir(dir string) (*os.File, error) {
	path := filepath.Join(dir, ".lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		if err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err == nil {
			return f, nil
		}
		f.Close()
	}
	return nil, &ListenError{Path: path, Detail: "the lock cannot be taken", Err: err, Fix: "remove the file"}
}

func listen(path string) (*net.UnixListener, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, &ListenError{Path: path, Detail: "the socket cannot be made", Err: err, Fix: "set XDG_RUNTIME_DIR to a directory with a short path, which allows sockets"}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, &ListenError{Path: path, Detail: "its mode cannot be set", Err: err, Fix: "set XDG_RUNTIME_DIR to a directory that knows modes"}
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
