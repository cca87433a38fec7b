package main

import (
	"bytes"
	"errors"
	"fmt"
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
	c := exec.Command("sh", "-ec", command+"; echo done; read stay")
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
	t.Cleanup(func() { _ = in.Close(); _ = c.Wait() }) // "read" fails at the end of the input
	if n, err := out.Read(make([]byte, 5)); err != nil {
		t.Fatalf("%s: %d bytes, %v", command, n, err)
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
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s took %v", command, took)
		}
	}
}
