package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/device"
)

// sshServer is an SSH server of the test's own, on this machine.
type sshServer struct {
	t    *testing.T
	dir  string
	port string
}

// startSSH starts a server that lets the user of the test in with a key made for it. What is started there has env.
func startSSH(t *testing.T, env ...string) *sshServer {
	t.Helper()
	program := "/usr/sbin/sshd" // not on the path of users
	if _, err := os.Stat(program); err != nil {
		t.Skip("sshd is not installed; make test installs it")
	}
	own, err := exec.LookPath("vyretop")
	if err != nil {
		t.Fatal(err)
	}
	s := &sshServer{t: t, dir: t.TempDir(), port: freePort(t)}
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", s.file(key)).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	host, err := os.ReadFile(s.file("host.pub"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("known", fmt.Sprintf("[127.0.0.1]:%s %s", s.port, host))
	s.write("config", strings.Join([]string{
		"Port " + s.port, "ListenAddress 127.0.0.1", "HostKey " + s.file("host"), "AuthorizedKeysFile " + s.file("user.pub"),
		"StrictModes no", "UsePAM no", "PidFile none", "PermitRootLogin prohibit-password", "PasswordAuthentication no",
		"SetEnv PATH=" + filepath.Dir(own) + ":" + os.Getenv("PATH") + " " + strings.Join(env, " "),
	}, "\n")+"\n")
	s.serve(program)
	return s
}

// serve starts the program and waits until it listens.
func (s *sshServer) serve(program string) {
	s.t.Helper()
	if os.Getuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // where it locks itself in; its service makes it
			s.t.Fatal(err)
		}
	}
	c := exec.Command(program, "-D", "-e", "-f", s.file("config"))
	told, err := c.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		_ = c.Process.Kill() // it may have ended
		_ = c.Wait()         // it was killed
	})
	lines, said := bufio.NewScanner(told), []string(nil)
	for lines.Scan() {
		if said = append(said, lines.Text()); strings.Contains(lines.Text(), "Server listening on") {
			go func() {
				for lines.Scan() { // so that it can say more
				}
			}()
			return
		}
	}
	s.t.Fatalf("the SSH server ended: %s", strings.Join(said, "\n"))
}

func (s *sshServer) file(name string) string { return filepath.Join(s.dir, name) }

func (s *sshServer) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(s.file(name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// client is the beginning of a command line that runs something there.
func (s *sshServer) client(flags ...string) []string {
	return append([]string{
		"ssh", "-F", "none", "-i", s.file("user"), "-o", "IdentitiesOnly=yes", "-o", "UserKnownHostsFile=" + s.file("known"), "-p", s.port,
	}, append(flags, "127.0.0.1")...)
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// TestRunsAreReachedOverSSH: a dashboard and commands on a run of another machine, as docs/fleet.md shows them. Both steer it, one at a time.
func TestRunsAreReachedOverSSH(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	s := startSSH(t, runs, "LC_ALL=C.UTF-8", ownerVariable+"="+os.Getenv(ownerVariable))
	run := vyretopCommand([]string{runs}, "run", "testdata/gate", "--headless", "--backend", device.Reference, "--workers", "2", "--workgroup-size", "4")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = run.Process.Signal(os.Interrupt) // it may have ended
		_ = run.Wait()                       // it was interrupted
	})
	screen := newScreen(t, strings.Join(s.client("-t"), " ")+" vyretop attach gate --control --wait 2m; echo status=$?; exec cat")
	screen.until(`gate`, `resident`, `q quit`)
	ask := s.client()
	out, err := exec.Command(ask[0], append(ask[1:], "vyretop", "snapshot", "gate", "--json")...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"schema": "vyretop.snapshot/`) {
		t.Errorf("%v\n%s", err, out)
	}
	screen.press("P")
	screen.until(`pause all`)
	screen.press("y")
	screen.until(`parked`)
	if out, err := exec.Command(ask[0], append(ask[1:], "vyretop", "do", "--target", "gate", "pause", "all")...).CombinedOutput(); err == nil || !strings.Contains(string(out), "has control") {
		t.Errorf("a second one steers beside the dashboard: %v\n%s", err, out)
	}
	screen.press("q")
	screen.until(`r resume and quit`)
	screen.press("r")
	screen.until(`status=0`)
	if out, err := exec.Command(ask[0], append(ask[1:], "vyretop", "do", "--target", "gate", "pause", "all")...).CombinedOutput(); err != nil || !strings.Contains(string(out), "applied") {
		t.Errorf("%v\n%s", err, out)
	}
	screen.restored()
}
