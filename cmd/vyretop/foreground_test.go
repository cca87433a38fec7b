//go:build linux || darwin

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"vyretop/tui/ptytest"
)

// TestARunInTheBackgroundDrawsNothing: `vyretop run WORKLOAD &` drew its dashboard over the shell and was stopped then, for reading
// the terminal; with --headless its progress stood in what the user typed. The same run in the foreground draws.
func TestARunInTheBackgroundDrawsNothing(t *testing.T) {
	t.Parallel()
	const enterAlternateScreen, progressBar = "\x1b[?1049h", " % ["
	for name, tc := range map[string]struct {
		command string
		draws   bool
	}{
		"dashboard":    {"vyretop run collatz --count 20000 --backend reference & wait", false},
		"progress":     {"vyretop run collatz --count 20000 --backend reference --headless & wait", false},
		"progress, fg": {"vyretop run collatz --count 20000 --backend reference --headless", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := onTerminal(t, "set -m; "+tc.command)
			if !strings.Contains(text, "verified") {
				t.Errorf("no summary:\n%q", text)
			}
			if strings.Contains(text, enterAlternateScreen) || strings.Contains(text, progressBar) != tc.draws {
				t.Errorf("it wrote, in the foreground %v:\n%q", tc.draws, text)
			}
		})
	}
}

// onTerminal runs a shell command on a terminal of its own and returns all that was written there.
func onTerminal(t *testing.T, command string) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(dir, "vyretop")); err != nil {
		t.Fatal(err)
	}
	master, slave := ptytest.Open(t, 80, 24)
	c := exec.Command("sh", "-c", command)
	c.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), runtimeDir(t), "XDG_CONFIG_HOME="+dir+"/home", "XDG_STATE_HOME="+dir+"/home")
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close() // the last one to close it ends the reading
	all, _ := io.ReadAll(master)
	if err := c.Wait(); err != nil {
		t.Errorf("%s: %v", command, err)
	}
	return string(all)
}
