package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/device"
)

// TestTwoDashboardsOnOneRun: the second one sees what the first one does, may not steer beside it, and
// leaves the run as it is.
func TestTwoDashboardsOnOneRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	runs := "XDG_RUNTIME_DIR=" + dir
	first := newScreen(t, gateCommand(t, device.Reference, ""), runs)
	first.until(`gate`, `resident`, `q quit`)
	if _, err := os.Stat(filepath.Join(dir, "vyretop", "gate.sock")); err != nil {
		t.Fatal(err)
	}

	watcher := newScreen(t, "vyretop attach; echo status=$?; exec cat", runs)
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

	driver := newScreen(t, "vyretop attach gate --control; echo status=$?; exec cat", runs)
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
	first.until(`the run is not finished: +e end it +d detach, it keeps running +c cancel`)
	first.press("e")
	first.until(`^verified +no, the work was cut short$`, `^status=1$`)
	watcher.press("q")
	watcher.until(`^status=0$`)
	watcher.restored()
}

// TestAKilledTargetLooksLost: the dashboard went on showing what it had last heard of, and a command waited.
func TestAKilledTargetLooksLost(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	run := vyretopCommand([]string{runs}, "run", "testdata/gate", "--headless", "--backend", device.Reference, "--workers", "2", "--workgroup-size", "4")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	watcher := newScreen(t, "vyretop attach gate --control --wait 2m; echo status=$?; exec cat", runs)
	watcher.until(`gate`, `resident`, `q quit`)
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait()                                     // it was killed
	watcher.until(`LOST +([2-9]\.[0-9]|[1-9][0-9]+)s`) // it grows though nothing comes
	watcher.typeText(":epoch +1")
	watcher.press("Enter")
	watcher.until(`the connection to gate was lost: .*`, `Fix: `)
	watcher.press("q") // not only away from the error
	watcher.until(`^status=3$`)
	watcher.restored()
}

// TestAHitIsSavedOnce: of a run with two dashboards, each of which may steer, there is one file for a hit, both say where,
// and so does the run when it is left.
func TestAHitIsSavedOnce(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	state := t.TempDir()
	first := newScreen(t, "export XDG_STATE_HOME="+state+"; "+gateCommand(t, device.Reference, ""), runs)
	first.until(`gate`, `resident`, `q quit`)
	second := newScreen(t, "export XDG_STATE_HOME="+state+"; vyretop attach gate --control; echo status=$?; exec cat", runs)
	second.until(`gate`, `resident`, `q quit`)
	second.typeText(":bp op=gatekeeper snapshot")
	second.press("Enter")
	second.until(`y +op=gatekeeper snapshot`)
	second.press("y")
	second.until(`break at op=gatekeeper snapshot: in force`)
	second.typeText(":resume task 1")
	second.press("Enter")
	for _, screen := range []*screen{first, second} {
		screen.press("0") // what the footer says is soon overtaken: the run ends
		screen.until(`saved +.*snapshots/gate-`)
	}
	files, err := os.ReadDir(filepath.Join(state, "vyretop", "snapshots"))
	if err != nil || len(files) != 1 {
		t.Errorf("saved %v, %v", files, err)
	}
	late := newScreen(t, "export XDG_STATE_HOME="+state+"; vyretop attach gate --control; echo status=$?; exec cat", runs)
	late.until(`gate`, `q quit`)
	late.press("0")
	late.until(`saved +.*snapshots/gate-`)
	if again, err := os.ReadDir(filepath.Join(state, "vyretop", "snapshots")); err != nil || len(again) != 1 {
		t.Errorf("after another one looked %v, %v", again, err)
	}
	second.press("q")
	late.press("q")
	first.until(`FINISHED`, `q quit`) // before the verdict q asks
	first.press("q")
	first.until(`breakpoint 1 was hit: op=gatekeeper snapshot; saved as`, `^status=0$`)
}

// TestAnAttachedDashboardSurvivesTheLossOfItsRun: it keeps what it saw last, and says that the link is lost.
func TestAnAttachedDashboardSurvivesTheLossOfItsRun(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	run := newScreen(t, "exec "+gateCommand(t, device.Reference, "--headless"), runs)
	attached := newScreen(t, "vyretop attach --wait "+patience.String()+"; echo status=$?; exec cat", runs)
	attached.until(`gate`, `resident`, `q quit`)
	attached.press("0")
	pid := run.tmux("display-message", "-p", "#{pane_pid}")
	run.tmux("run-shell", "kill -KILL "+pid)
	attached.until(`^ +[0-9:.]+ link +- lost: `) // not the log's "0 lost", which it shows before the key 0 is read
	attached.press("q")
	attached.until(`^status=3$`)
	attached.restored()
}

// TestAttachLineByLineEndsWithItsRun: after the loss of a run it waited for its return without an end.
func TestAttachLineByLineEndsWithItsRun(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	run := vyretopCommand([]string{runs}, "run", "testdata/gate", "--headless", "--backend", device.Reference, "--workers", "2", "--workgroup-size", "4")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	attached := vyretopCommand([]string{runs}, "attach", "gate", "--linear", "--wait", patience.String())
	var stderr bytes.Buffer
	attached.Stderr = &stderr
	out, err := attached.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := attached.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan() // it is attached
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = run.Wait() // it was killed
	for lines.Scan() {
	}
	_ = attached.Wait() // its status is looked at
	if got := attached.ProcessState.ExitCode(); got != exitDevice || strings.Count(stderr.String(), "Fix: ") != 1 {
		t.Errorf("status %d, %s", got, &stderr)
	}
}
