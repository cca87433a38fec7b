package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"vyretop/megakernel"
)

// The tests in this file drive the dashboard in a real terminal emulator. The test binary serves as
// the program under test: with envServe set it shows a fake target that moves on by itself.
const envServe = "VYRETOP_TEST_SERVE"

// patience bounds what a test waits for; no test needs a part of it.
const patience = 3 * time.Minute

func TestMain(m *testing.M) {
	if dir := os.Getenv(envServe); dir != "" {
		serve(dir)
		return
	}
	os.Exit(m.Run())
}

// serve shows a live fake and reports how it ended. It writes its process id to dir/pid.
func serve(dir string) {
	if err := os.WriteFile(filepath.Join(dir, "pid"), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		panic(err)
	}
	f := newFake()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			f.advance()
			select {
			case <-time.After(50 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}()
	var source Source = f
	if os.Getenv("VYRETOP_TEST_PANIC") != "" {
		source = &panicSource{fakeTarget: f, dir: dir}
	}
	err := Run(ctx, Options{Source: source, Sink: f, Version: "test"})
	fmt.Printf("ended: panic=%v other=%v\n", errors.Is(err, tea.ErrProgramPanic), err != nil && !errors.Is(err, tea.ErrProgramPanic))
	for _, c := range f.sent() {
		fmt.Printf("sent: %s\n", c.Op)
	}
}

// panicSource panics inside the dashboard once dir/panic exists.
type panicSource struct {
	*fakeTarget
	dir string
}

func (p *panicSource) Snapshot() *megakernel.Snapshot {
	if _, err := os.Stat(filepath.Join(p.dir, "panic")); err == nil {
		panic("a bug in the source")
	}
	return p.fakeTarget.Snapshot()
}

// terminal is a tmux session of its own server with one pane.
type terminal struct {
	t      *testing.T
	socket string
	dir    string
}

func startTerminal(t *testing.T, w, h int, env ...string) *terminal {
	t.Helper()
	term, run := newTerminal(t, env...)
	term.start(w, h, run+"; stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e -icanon; exec cat")
	term.waitFor("fake-scan", "q quit")
	return term
}

// newTerminal is a terminal that is not there yet, and the command of a dashboard in it.
func newTerminal(t *testing.T, env ...string) (x *terminal, run string) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: the dashboard is not tested in a real terminal. Install the package tmux.")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	term := &terminal{t: t, dir: dir, socket: filepath.Join(dir, "tmux")}
	env = append(env, "LANG=C.UTF-8", envServe+"="+dir)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", term.socket, "kill-server").Run() })
	return term, "env " + strings.Join(env, " ") + " " + exe
}

func (x *terminal) start(w, h int, run string) {
	x.t.Helper()
	x.tmux("-f", "/dev/null", "-u", "new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), run)
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func (x *terminal) screen() string { return x.tmux("capture-pane", "-p") }

func (x *terminal) keys(keys ...string) { x.tmux(append([]string{"send-keys"}, keys...)...) }

// until waits for a condition on the screen.
func (x *terminal) until(what string, ok func(screen string) bool) {
	x.t.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		s := x.screen()
		if ok(s) {
			return
		}
		select {
		case <-poll.C:
		case <-deadline.C:
			x.t.Fatalf("no %s on the screen:\n%s", what, s)
		}
	}
}

func (x *terminal) waitFor(texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		x.until(strconv.Quote(text), func(s string) bool { return strings.Contains(s, text) })
	}
}

// wantRestored checks that the terminal is as it was before the dashboard.
func (x *terminal) wantRestored() {
	x.t.Helper()
	x.until("canonical mode", func(s string) bool { return strings.Contains(s, "\nicanon") })
	if got := strings.TrimSpace(x.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
		x.t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", got)
	}
}

func (x *terminal) signal(s syscall.Signal) {
	x.t.Helper()
	text, err := os.ReadFile(filepath.Join(x.dir, "pid"))
	if err != nil {
		x.t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		x.t.Fatal(err)
	}
	if err := syscall.Kill(pid, s); err != nil {
		x.t.Fatal(err)
	}
}

func TestTerminalSession(t *testing.T) {
	x := startTerminal(t, 80, 24)
	x.keys("2", "j", "p")
	x.waitFor("pause worker 1: applied", "1 ‖ PAUSED", "1 PAUSED")
	x.keys("s", "Enter")
	x.waitFor("words changed", "continuation_data")
	x.keys("2", "c")
	x.until("resumed worker", func(s string) bool { return !strings.Contains(s, "‖ PAUSED") })
	x.keys("3", "j", "R", "1")
	x.waitFor("requeue task", "applied")
	x.keys(":", "retune workers=6 lanes=16", "Enter")
	x.waitFor("6×16 busy")
	x.keys("1", "p")
	x.waitFor("1 PAUSED")
	x.keys("q")
	x.waitFor("r resume and quit")
	x.keys("r")
	x.waitFor("ended: panic=false other=false", "sent: pause worker", "sent: step worker", "sent: resume worker", "sent: requeue task", "sent: resume all")
	x.wantRestored()
}

func TestTerminalResize(t *testing.T) {
	x := startTerminal(t, 80, 24)
	for _, size := range [][2]string{{"160", "50"}, {"60", "15"}, {"30", "5"}, {"100", "30"}} {
		x.tmux("resize-window", "-x", size[0], "-y", size[1])
		x.until("screen of "+size[0]+"x"+size[1], func(s string) bool {
			lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
			if size[0] == "30" {
				return len(lines) == 1 && strings.Contains(lines[0], "t/s")
			}
			return strings.Contains(lines[len(lines)-1], "q quit") && strings.Count(s, "q quit") == 1 &&
				strings.Contains(lines[0], "fake-scan") && strings.Count(s, "fake-scan") == 1
		})
	}
	x.keys("q")
	x.wantRestored()
}

func TestTerminalRestoredAfterSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			x := startTerminal(t, 80, 24)
			x.signal(s)
			x.waitFor("ended: panic=false other=false")
			x.wantRestored()
		})
	}
}

func TestTerminalRestoredAfterPanic(t *testing.T) {
	x := startTerminal(t, 80, 40, "VYRETOP_TEST_PANIC=1")
	if err := os.WriteFile(filepath.Join(x.dir, "panic"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x.waitFor("ended: panic=true other=false")
	x.wantRestored()
}

// A suspended dashboard leaves the screen and the modes of the terminal to the shell, and takes them again when it is continued.
func TestTerminalSuspended(t *testing.T) {
	x, run := newTerminal(t)
	x.start(80, 24, "env PS1=prompt: bash --norc --noediting -i")
	x.waitFor("prompt:")
	x.keys("echo before; "+run, "Enter")
	for range 2 {
		x.waitFor("fake-scan", "q quit")
		x.keys("C-z")
		x.until("shell", func(s string) bool {
			return strings.Contains(s, "Stopped") && strings.Contains(s, "before\n") && !strings.Contains(s, "q quit")
		})
		if got := strings.TrimSpace(x.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")); got != "0 1 0" {
			t.Errorf("alternate screen, cursor, mouse while suspended: %s, want 0 1 0", got)
		}
		x.keys("clear; echo before; fg", "Enter")
	}
	x.waitFor("fake-scan", "q quit")
	x.keys("?")
	x.waitFor("type to search")
	x.keys("Escape")
	x.until("closed help", func(s string) bool { return !strings.Contains(s, "type to search") })
	x.keys("q")
	x.waitFor("ended: panic=false other=false\nprompt:") // else the shell prints its prompt before what is looked for
	x.keys("stty -a | tr ' ;' '\\n\\n' | grep -x -e icanon -e -icanon", "Enter")
	x.wantRestored()
}

// The mouse works through a real terminal, and a click on quit ends the dashboard.
func TestTerminalMouse(t *testing.T) {
	x := startTerminal(t, 80, 24)
	press := func(column, row int) {
		x.tmux("send-keys", "-l", fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", column, row, column, row))
	}
	press(22, 6)
	x.waitFor("Tasks  64/64")
	s := strings.Split(x.screen(), "\n")
	press(strings.Index(s[23], "q quit")+1, 24)
	x.waitFor("ended: panic=false")
	x.wantRestored()
}
