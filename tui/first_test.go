package tui

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"vyretop/tui/ptytest"
)

// until reads a terminal until texts were written to it, one behind the other, and returns all that was.
func until(t *testing.T, master *os.File, texts ...string) []byte {
	t.Helper()
	var all []byte
	for buf := make([]byte, 4096); !inOrder(all, texts); {
		n, err := master.Read(buf)
		if err != nil {
			t.Fatalf("no %q but %q: %v", texts, all, err)
		}
		all = append(all, buf[:n]...)
	}
	return all
}

func inOrder(all []byte, texts []string) bool {
	for _, text := range texts {
		_, behind, ok := bytes.Cut(all, []byte(text))
		if !ok {
			return false
		}
		all = behind
	}
	return true
}

// shown runs a dashboard on a terminal. It ends when the terminal is given back.
func shown(t *testing.T, master, slave *os.File) (leave func()) {
	ctx, cancel := contextWithCancel(t)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Source: newFake(), Input: slave, Output: slave, Environ: utf8Env, Version: "test"})
	}()
	return func() {
		cancel()
		until(t, master, ansi.ResetModeAltScreenSaveCursor)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// The frame is drawn on the terminal's other screen, which is left at the end.
func TestFramesAreOnTheOtherScreenOnly(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	leave := shown(t, master, slave)
	until(t, master, ansi.SetModeAltScreenSaveCursor, "1 over")
	leave()
}

// A key draws everything again, for when something else has written to the terminal.
func TestRedrawPaintsTheFrameAgain(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	leave := shown(t, master, slave)
	until(t, master, ansi.SetModeAltScreenSaveCursor, "1 over")
	if _, err := master.WriteString("\f"); err != nil {
		t.Fatal(err)
	}
	until(t, master, ansi.EraseEntireScreen, "1 over")
	leave()
}

// A terminal that the library cannot take is an error, and left as it was.
func TestATerminalThatCannotBeTaken(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	err = Run(t.Context(), Options{Source: newFake(), Input: closed, Output: slave, Environ: utf8Env, Version: "test"})
	if !errors.Is(err, ErrTerminal) {
		t.Fatalf("error %v, want %v", err, ErrTerminal)
	}
	if _, err := slave.WriteString("end"); err != nil {
		t.Fatal(err)
	}
	if all := until(t, master, "end"); bytes.Contains(all, []byte("1 over")) {
		t.Errorf("a frame is left on it: %q", all)
	}
}
