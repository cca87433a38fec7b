package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// otherUser is the number of a user who owns nothing.
const otherUser = 65534

// asOther runs a shell command as the other user, who says when it is done and stays until the test ends.
func asOther(t *testing.T, command string) {
	t.Helper()
	stayAsOther(t, exec.Command("sh", "-ec", command+"; echo done; read stay")) // "read" fails at the end of the input
}

// stayAsOther runs a command as the other user, waits until it prints something, and ends its input with the test.
func stayAsOther(t *testing.T, c *exec.Cmd) {
	t.Helper()
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: otherUser, Gid: otherUser}}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = c.Wait() })
	if n, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatalf("%v: %d bytes, %v", c, n, err)
	}
}

// TestAnotherUsersTargetsAreNotTrusted: where XDG_RUNTIME_DIR is unset another user can make the directory of the sockets
// first. What listens there was believed, a symbolic link named .lock made root create a file, and a lock that was held
// kept commands waiting for 45 s.
func TestAnotherUsersTargetsAreNotTrusted(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	for name, plant := range map[string]string{
		"an empty directory": "",
		"a link for a lock":  "ln -s %[1]s/planted %[2]s/.lock",
		"a held lock":        "exec 9>%[2]s/.lock; flock 9",
		"open to all":        "chmod 0777 %[2]s",
	} {
		t.Run(name, func(t *testing.T) {
			top, err := os.MkdirTemp("/tmp", "other") // t.TempDir is not for other users
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.RemoveAll(top) })
			if err := os.Chmod(top, 0o777|fs.ModeSticky); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(top, fmt.Sprintf("vyretop-%d", os.Getuid()))
			command := "mkdir -m 0755 " + dir
			if plant != "" {
				command += "; " + fmt.Sprintf(plant, top, dir)
			}
			asOther(t, command)
			fake, err := net.Listen("unix", filepath.Join(dir, "fake.sock"))
			if err != nil {
				t.Fatal(err)
			}
			defer fake.Close()
			tryUntrusted(t, top)
			if _, err := os.Lstat(filepath.Join(top, "planted")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file was made through the link: %v", err)
			}
		})
	}
}

// tryUntrusted runs commands whose sockets are in a directory of another user below a temporary one.
func tryUntrusted(t *testing.T, temporary string) {
	t.Helper()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + temporary}
	for _, command := range []string{"info", "snapshot", "snapshot fake", "events fake", "attach fake --linear", "do pause all", "record new.mcap fake"} {
		var out, stderr bytes.Buffer
		began := time.Now()
		status := doMain(strings.Fields(command), strings.NewReader(""), &out, &stderr, environ)
		told := out.String() + stderr.String()
		if !strings.Contains(told, "belongs to another user") || !strings.Contains(told, "Fix: set XDG_RUNTIME_DIR") {
			t.Errorf("%s printed %q", command, told)
		}
		if status != exitDevice && command != "info" {
			t.Errorf("%s: status %d", command, status)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s took %v", command, took)
		}
	}
}

// TestListenerOfAnotherUserIsRefused: a socket in the user's own directory whose listener another user runs. What it says
// may be false, so each client command ends with an error that names both users.
func TestListenerOfAnotherUserIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	top, err := os.MkdirTemp("/tmp", "other") // t.TempDir is not for other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	runtime := filepath.Join(top, "runtime")
	dir := filepath.Join(runtime, "vyretop")
	fake := filepath.Join(top, "fake.sock")
	for _, err := range []error{os.MkdirAll(dir, 0o700), os.Chmod(top, 0o777|fs.ModeSticky), listenAsOther(t, fake), os.Rename(fake, filepath.Join(dir, "fake.sock"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "XDG_RUNTIME_DIR=" + runtime}
	for _, command := range []string{"snapshot fake", "events fake", "attach fake --linear", "do pause all --target fake", "stall fake", "tasks fake", "workers fake", "log fake", "words fake", "record " + top + "/new.mcap fake"} {
		var out, stderr bytes.Buffer
		status := doMain(strings.Fields(command), strings.NewReader(""), &out, &stderr, environ)
		if told := stderr.String(); status != exitDevice || !strings.Contains(told, fmt.Sprintf("belongs to user %d, this one to user 0; not used. Fix: ", otherUser)) || out.Len() > 0 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", command, status, &out, told)
		}
	}
	var out, stderr bytes.Buffer
	if status := doMain([]string{"info"}, strings.NewReader(""), &out, &stderr, environ); status != exitOK || !strings.Contains(out.String(), "\nruns           none\n") {
		t.Errorf("info: status %d, %s%s", status, &out, &stderr)
	}
	if _, err := os.Lstat(top + "/new.mcap"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a recording of the listener: %v", err)
	}
}

// listenerCommand is the name under which the test binary listens on a socket, until its input ends.
const listenerCommand = "vyretop-listener"

func listener() {
	l, err := net.Listen("unix", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("done")
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = l.Close()
}

// listenAsOther has a process of the other user listen on a socket until the test ends. It answers nothing: a client checks
// the user before it writes.
func listenAsOther(t *testing.T, path string) error {
	t.Helper()
	data, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return err
	}
	own := filepath.Join(filepath.Dir(path), listenerCommand) // other users may not enter the folder of the test binary
	if err := os.WriteFile(own, data, 0o755); err != nil {
		return err
	}
	stayAsOther(t, exec.Command(own, path))
	return nil
}
