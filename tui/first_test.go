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

// The terminal library waits for its clock before it draws anything: that is most of the time to the first
// frame.
func TestFirstFrameDoesNotWaitForTheLibrary(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	ctx, cancel := contextWithCancel(t)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Source: newFake(), Input: slave, Output: slave, Environ: utf8Env, Version: "test"})
	}()
	if first := until(t, master, "1 over"); bytes.Contains(first, []byte(ansi.RequestModeSynchronizedOutput)) {
		t.Errorf("the library came first: %q", first)
	}
	until(t, master, ansi.RequestModeSynchronizedOutput)
	cancel()
	until(t, master, ansi.ResetModeAltScreenSaveCursor)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Where the library cannot take the terminal the first frame must not stay on it.
func TestFirstFrameIsTakenBack(t *testing.T) {
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
	if all := until(t, master, ansi.ResetModeAltScreenSaveCursor); !bytes.Contains(all, []byte("1 over")) {
		t.Errorf("there was no first frame: %q", all)
	}
}

// The library erases the screen when it is asked to draw it again; the frame is painted again behind that.
func TestRedrawPaintsTheFrameAnew(t *testing.T) {
	master, slave := ptytest.Open(t, 80, 24)
	ctx, cancel := contextWithCancel(t)
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{Source: newFake(), Input: slave, Output: slave, Environ: utf8Env, Version: "test"})
	}()
	again := []string{ansi.CursorHomePosition + ansi.EraseEntireScreen, "1 over"}
	until(t, master, append([]string{ansi.SetModeFocusEvent}, again...)...) // the library has come to it
	if _, err := master.WriteString("\f"); err != nil {
		t.Fatal(err)
	}
	until(t, master, again...)
	cancel()
	until(t, master, ansi.ResetModeAltScreenSaveCursor)
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
