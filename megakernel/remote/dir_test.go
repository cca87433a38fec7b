package remote

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel/live"
)

func TestDir(t *testing.T) {
	own := fmt.Sprintf("vyretop-%d", os.Getuid())
	for _, tt := range []struct {
		environ []string
		want    string
	}{
		{[]string{"XDG_RUNTIME_DIR=/run/user/7"}, "/run/user/7/vyretop"},
		{[]string{"XDG_RUNTIME_DIR=relative", "TMPDIR=/t"}, "/t/" + own},
		{nil, "/tmp/" + own},
	} {
		if got := Dir(tt.environ); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.environ, got, tt.want)
		}
	}
}

// TestOnlyTheUserReachesASocket: the modes of the directory and of the socket.
func TestOnlyTheUserReachesASocket(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	for path, want := range map[string]fs.FileMode{r.dir: 0o700 | fs.ModeDir, filepath.Join(r.dir, "fake.sock"): 0o600 | fs.ModeSocket} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode(), want)
		}
	}
}

// TestAnotherUserIsRefused: the check of SO_PEERCRED, for a server that expects somebody else.
func TestAnotherUserIsRefused(t *testing.T) {
	r := newRun(t, Options{uid: os.Getuid() + 1}, live.Options{})
	_, err := Dial(t.Context(), r.server.Name(), DialOptions{Dir: r.dir})
	if !errors.Is(err, ErrRefused) && !errors.Is(err, ErrLost) {
		t.Errorf("error is %v", err)
	}
}

func TestADirectoryOfOthersIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	open := filepath.Join(dir, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o770); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{open, link, file, filepath.Join(dir, strings.Repeat("long", 30))} {
		_, err := Listen(nil, header("x"), Options{Dir: path})
		if !errors.Is(err, ErrListen) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestNamesAndStaleSockets(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	second := newRunIn(t, r.dir, Options{}, live.Options{}, header("fake"))
	odd := newRunIn(t, r.dir, Options{}, live.Options{}, header("../a b"))
	stale := filepath.Join(r.dir, "dead.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false) // as when the process is killed
	l.Close()
	if diff := cmp.Diff([]string{"_a_b", "fake", "fake-2"}, targets(t, r.dir)); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the stale socket is still there: %v", err)
	}
	_ = second.server.Close()
	_ = odd.server.Close()
	third := newRunIn(t, r.dir, Options{}, live.Options{}, header("fake"))
	if got := third.server.Name(); got != "fake-2" {
		t.Errorf("the free name is not used again: %s", got)
	}
	if got, err := Targets(filepath.Join(r.dir, "none")); got != nil || err != nil {
		t.Errorf("targets of no directory: %v, %v", got, err)
	}
}

func targets(t *testing.T, dir string) []string {
	t.Helper()
	names, err := Targets(dir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestClientsRejectADirectoryOfAnotherUser: a client used to trust any directory of the name, so that another user could
// show false data, and have files made through a symbolic link named .lock.
func TestClientsRejectADirectoryOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make a directory of another user")
	}
	const other = 65534
	top := t.TempDir()
	for name, mend := range map[string]func(path string) error{
		"of another user":   func(path string) error { return os.Chown(path, other, other) },
		"others may write":  func(path string) error { return os.Chmod(path, 0o707) },
		"others may read":   func(path string) error { return os.Chmod(path, 0o750) },
		"below another's":   func(path string) error { return os.Chown(filepath.Dir(path), other, other) },
		"in a shared place": func(path string) error { return os.Chmod(filepath.Dir(path), 0o777) },
		"symbolic link": func(path string) error {
			return errors.Join(os.Rename(path, path+"2"), os.Symlink(path+"2", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(top, name, "vyretop")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			planted := filepath.Join(top, name, "planted")
			if err := errors.Join(os.Symlink(planted, filepath.Join(dir, ".lock")), mend(dir)); err != nil {
				t.Fatal(err)
			}
			_, listed := Targets(dir)
			_, resolved := Resolve(t.Context(), dir, "x", 0)
			_, dialed := Dial(t.Context(), "x", DialOptions{Dir: dir})
			_, listened := Listen(nil, header("x"), Options{Dir: dir})
			for _, err := range []error{listed, resolved, dialed, listened} {
				if !errors.Is(err, ErrUntrusted) || strings.Count(err.Error(), "Fix: ") != 1 {
					t.Errorf("error is %v", err)
				}
			}
			if _, err := os.Lstat(planted); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file was made through the link: %v", err)
			}
		})
	}
}

// TestClientsRejectAListenerOfAnotherUser: the check of SO_PEERCRED, for a client that expects another user.
func TestClientsRejectAListenerOfAnotherUser(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	if _, err := Dial(t.Context(), r.server.Name(), DialOptions{Dir: r.dir, uid: os.Getuid() + 1}); !errors.Is(err, ErrUntrusted) {
		t.Errorf("error is %v", err)
	}
}

// TestTheLockIsNoLink: a symbolic link named .lock made root create a file.
func TestTheLockIsNoLink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vyretop")
	planted := filepath.Join(filepath.Dir(dir), "planted")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Symlink(planted, filepath.Join(dir, ".lock"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(nil, header("x"), Options{Dir: dir}); !errors.Is(err, ErrListen) {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Lstat(planted); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made through the link: %v", err)
	}
}

// TestAHeldLockDelaysNobody: while another process held the lock, listing targets hung, and did not heed SIGTERM.
func TestAHeldLockDelaysNobody(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	lock, err := lockDir(r.dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(r.dir, "dead.sock"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	stale.Close()
	if diff := cmp.Diff([]string{"fake"}, targets(t, r.dir)); diff != "" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if _, err := lockDir(r.dir, 20*time.Millisecond); !errors.Is(err, ErrListen) {
		t.Errorf("a second lock: %v", err)
	}
}

// TestAFileNamedLikeASocketIsKept: connecting to a regular file is refused like connecting to a dead socket, and the
// file was deleted.
func TestAFileNamedLikeASocketIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vyretop")
	path := filepath.Join(dir, "fake.sock")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := newRunIn(t, dir, Options{}, live.Options{}, header("fake"))
	if diff := cmp.Diff([]string{"fake-2"}, targets(t, dir)); diff != "" || r.server.Name() != "fake-2" {
		t.Errorf("targets (-want +got):\n%s", diff)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
}

func TestResolve(t *testing.T) {
	r := newRun(t, Options{}, live.Options{})
	ctx := t.Context()
	if got, err := Resolve(ctx, r.dir, "", 0); err != nil || got != "fake" {
		t.Errorf("the only one: %q, %v", got, err)
	}
	if _, err := Resolve(ctx, r.dir, "other", 0); !errors.Is(err, ErrNoTarget) || !strings.Contains(err.Error(), "name one of fake") {
		t.Errorf("a name that is not there: %v", err)
	}
	found := make(chan error)
	go func() {
		_, err := Resolve(ctx, r.dir, "fake-2", patience)
		found <- err
	}()
	newRunIn(t, r.dir, Options{}, live.Options{}, header("fake"))
	if err := <-found; err != nil {
		t.Errorf("a name that appears: %v", err)
	}
	if _, err := Resolve(ctx, r.dir, "", time.Nanosecond); !errors.Is(err, ErrNoTarget) {
		t.Errorf("no name for two: %v", err)
	}
	for _, err := range []error{noTarget("", nil), noTarget("a", nil), noTarget("a", []string{"b"}), noTarget("", []string{"a", "b"})} {
		if !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("no fix in %q", err)
		}
	}
}
