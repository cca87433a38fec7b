package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// patience bounds what a test waits for; no test needs a part of it, even on a host with ten times as much to do as it
// can, on which OpenGL compiles the megakernel for minutes.
const patience = 5 * time.Minute

// screen is a real terminal, 100 by 30 cells, with a shell command in it.
type screen struct {
	t       *testing.T
	socket  string
	changed chan struct{} // something was written since the last receive
	ended   chan struct{} // closed when the shell command and all its children are gone
}

// newScreen runs a shell command in tmux, with variables beside those of the test ("NAME=value"). In it, vyretop is this
// program; it finds only the runs of the same XDG_RUNTIME_DIR, by default its own, so that tests need not wait for each other.
func newScreen(t *testing.T, command string, env ...string) *screen {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed; make test installs it")
	}
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "vyretop")); err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(dir, "run")
	if err := os.Mkdir(runs, 0o700); err != nil {
		t.Fatal(err)
	}
	// Each frame costs a look at the screen, which is a process: with few a second the drivers' compilers get the processors.
	env = append([]string{"VYRETOP_FPS=5", "XDG_RUNTIME_DIR=" + runs, "XDG_CONFIG_HOME=" + dir + "/home", "XDG_STATE_HOME=" + dir + "/home"}, env...)
	s := &screen{t: t, socket: filepath.Join(dir, "tmux"), changed: make(chan struct{}, 1), ended: make(chan struct{})}
	output, lifeline := s.fifo("output", s.notice), s.fifo("lifeline", nil)
	s.endWithTest()
	t.Cleanup(s.kill)
	s.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
		"PATH="+dir+":$PATH "+strings.Join(env, " ")+" LC_ALL=C.UTF-8 TERM=screen-256color exec sh -c '"+command+"' 9>"+lifeline)
	s.tmux("pipe-pane", "cat >"+output)
	return s
}

// runtimeDir is a folder for the sockets of the runs of one test, as a variable.
func runtimeDir(t *testing.T) string {
	t.Helper()
	return "XDG_RUNTIME_DIR=" + t.TempDir()
}

// vyretopCommand is this program without a terminal, with variables beside those of the test.
func vyretopCommand(env []string, args ...string) *exec.Cmd {
	c := exec.Command("vyretop", args...)
	c.Env = append(os.Environ(), env...)
	return c
}

// fifo makes a named pipe and follows it. With each it calls it for every write; without, it waits
// for the end of the last writer.
func (s *screen) fifo(name string, each func()) string {
	path := filepath.Join(filepath.Dir(s.socket), name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		f, err := os.Open(path) // waits for a writer
		if err != nil {
			return // the test is over
		}
		defer f.Close()
		if each == nil {
			_, _ = io.Copy(io.Discard, f)
			close(s.ended)
			return
		}
		for buf := make([]byte, 1<<16); err == nil; each() {
			_, err = f.Read(buf)
		}
	}()
	return path
}

// endWithTest has the terminal end when this process does, also where it is killed and cleans nothing up.
func (s *screen) endWithTest() {
	s.t.Helper()
	c := exec.Command("sh", "-c", `read _; exec tmux -S "$1" kill-server`, "sh", s.socket)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C ends the tests, not what cleans up behind them
	in, err := c.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = in.Close(); _ = c.Wait() }) // the terminal has been ended before
}

func (s *screen) notice() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *screen) tmux(args ...string) string {
	s.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-S", s.socket}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
	}
	return string(out)
}

// press sends keys as tmux names them.
func (s *screen) press(keys ...string) {
	s.t.Helper()
	s.tmux(append([]string{"send-keys"}, keys...)...)
}

// typeText sends characters as they are.
func (s *screen) typeText(text string) {
	s.t.Helper()
	s.tmux("send-keys", "-l", text)
}

// until waits for a screen on which every pattern matches somewhere.
func (s *screen) until(patterns ...string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	for {
		text := s.tmux("capture-pane", "-p")
		missing := ""
		for _, p := range patterns {
			if !matches(text, p) {
				missing = p
			}
		}
		if missing == "" {
			return text
		}
		select {
		case <-s.changed:
		case <-ctx.Done():
			s.t.Fatalf("after %v nothing matches %s on\n%s", patience, missing, text)
		}
	}
}

// matches reports whether a pattern matches somewhere on a screen.
func matches(text, pattern string) bool {
	return regexp.MustCompile(`(?m)` + pattern).MatchString(text)
}

// kill ends the terminal. What ran in it, in the background too, has ended afterwards: it may still have written to folders that
// the test removes.
func (s *screen) kill() {
	_ = exec.Command("tmux", "-S", s.socket, "kill-server").Run()
	s.gone()
}

// gone waits for the end of everything that ran in the terminal.
func (s *screen) gone() {
	s.t.Helper()
	select {
	case <-s.ended:
	case <-time.After(patience):
		s.t.Fatalf("the program still runs after %v", patience)
	}
}

// restored fails the test when the terminal is still in the state that a dashboard leaves behind
// when it does not clean up.
func (s *screen) restored() {
	s.t.Helper()
	if state := strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); state != "0 1 0" {
		s.t.Errorf("alternate screen, cursor, mouse are %s, want 0 1 0", state)
	}
}
