//go:build linux || darwin

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"vyretop/tui/ptytest"
)

// TestKeysAreNotShownWhileAKernelIsCompiled: what was typed before the dashboard came stood on the terminal, and stayed there.
func TestKeysAreNotShownWhileAKernelIsCompiled(t *testing.T) {
	t.Parallel()
	_, slave := ptytest.Open(t, 80, 24)
	end := withoutEcho(t.Context(), slave)
	if shown(t, slave) {
		t.Error("keys are shown")
	}
	end()
	if !shown(t, slave) {
		t.Error("keys are not shown afterwards")
	}
	end()
	withoutEcho(t.Context(), strings.NewReader(""))()
}

// TestTheTerminalShowsKeysAfterARun: its end gives the terminal back.
func TestTheTerminalShowsKeysAfterARun(t *testing.T) {
	t.Parallel()
	if text := onTerminal(t, "vyretop run collatz --count 16 --backend reference --headless; stty -a | tr \" \" \"\\n\" | grep -x -- \"-\\?echo\""); !strings.HasSuffix(strings.TrimSpace(text), "\necho") {
		t.Errorf("%q", text)
	}
}

func shown(t *testing.T, terminal *os.File) bool {
	t.Helper()
	s, err := term.GetState(terminal.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return s.Lflag&unix.ECHO != 0
}
