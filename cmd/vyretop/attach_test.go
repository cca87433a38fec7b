package main

import (
	"os"
	"path/filepath"
	"testing"

	"vyretop/cmd/vyretop/internal/device"
)

// TestTwoDashboardsOnOneRun: the second one sees what the first one does, may not steer beside it, and
// leaves the run as it is.
func TestTwoDashboardsOnOneRun(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", dir)
	first := newScreen(t, gateCommand(t, device.Reference, ""))
	first.until(`gate`, `resident`, `q quit`)
	if _, err := os.Stat(filepath.Join(dir, "vyretop", "gate.sock")); err != nil {
		t.Fatal(err)
	}

	watcher := newScreen(t, "vyretop attach; echo status=$?; exec cat")
	watcher.until(`gate`, `resident`, `q quit`)
	first.press("2")
	first.until(`^▸ +0 .*runner`)
	first.press("p")
	first.until(`^▸ +0 . PAUSED`)
	watcher.press("2")
	shown := watcher.until(`^▸ +0 . PAUSED`, `1 PAUSED`)
	if matches(shown, `p pause`) {
		t.Errorf("a dashboard that may only watch offers to pause:\n%s", shown)
	}

	driver := newScreen(t, "vyretop attach gate --control; echo status=$?; exec cat")
	driver.until(`gate`, `PAUSED`, `q quit`)
	driver.press("2")
	driver.until(`^▸ +0 . PAUSED`)
	driver.press("c")
	driver.until(`^▸ +0 . (running|idle)`) // else it asks what is to become of the paused worker
	first.until(`^▸ +0 . (running|idle)`)
	watcher.until(`^▸ +0 . (running|idle)`)
	driver.press("q")
	driver.until(`^status=0$`)
	driver.restored()

	first.press("q")
	first.until(`^verified +no, the work was cut short$`, `^status=0$`)
	watcher.press("q")
	watcher.until(`^status=0$`)
	watcher.restored()
}

// TestAnAttachedDashboardSurvivesTheLossOfItsRun: it keeps what it saw last, and says that the link is lost.
func TestAnAttachedDashboardSurvivesTheLossOfItsRun(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	run := newScreen(t, "exec "+gateCommand(t, device.Reference, "--headless"))
	attached := newScreen(t, "vyretop attach --wait 60s; echo status=$?; exec cat")
	attached.until(`gate`, `resident`, `q quit`)
	attached.press("0")
	pid := run.tmux("display-message", "-p", "#{pane_pid}")
	run.tmux("run-shell", "kill -KILL "+pid)
	attached.until(`lost`)
	attached.press("q")
	attached.until(`^status=0$`)
	attached.restored()
}
