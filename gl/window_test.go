//go:build cgo && egl && glfw

package gl

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/gl/internal/window"
)

// startDisplay starts an X server without a screen for the test, on a free display.
func startDisplay(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip("Xvfb is not installed: apt-get install xvfb")
	}
	r, w, err := os.Pipe()
	check(t, err)
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	check(t, cmd.Start())
	check(t, w.Close())
	t.Cleanup(func() {
		check(t, cmd.Process.Kill())
		if err := cmd.Wait(); err == nil {
			t.Error("Xvfb ended by itself")
		}
		check(t, r.Close())
	})
	number, err := bufio.NewReader(r).ReadString('\n')
	check(t, err)
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("WAYLAND_DISPLAY", "")
}

// TestWindowedContextComputes runs a kernel in a hidden window's context, twice, and refuses a
// second window at the same time.
func TestWindowedContextComputes(t *testing.T) {
	startDisplay(t)
	for range 2 {
		t.Run("window", func(t *testing.T) {
			b := openFor(t, Options{Context: ContextGLFW, SkipProbes: true, Debug: true})
			buf := allocate(t, b, 64, engine.HostVisible)
			wait(t, start(t, compile(t, b, squaresProgram()), 1, buf))
			if got := buf.Words().Load(9); got != 81 {
				t.Errorf("word 9 is %d", got)
			}
			if _, err := Open(t.Context(), Options{Context: ContextGLFW}); !errors.Is(err, window.ErrBusy) || !errors.Is(err, engine.ErrUnsupportedFeature) {
				t.Errorf("second window: %v", err)
			}
		})
	}
}

// TestWindowWithoutADisplayIsAnError expects a typed error where no display runs.
func TestWindowWithoutADisplayIsAnError(t *testing.T) {
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if _, err := Open(t.Context(), Options{Context: ContextGLFW}); !errors.Is(err, engine.ErrUnsupportedFeature) {
		t.Errorf("got %v", err)
	}
}
