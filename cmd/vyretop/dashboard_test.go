package main

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"vyretop/engine/device"
	"vyretop/fixtures"
)

// gateCommand runs the workload testdata/gate, whose runners go round until a person lets the
// gatekeeper continue, and then shows the exit status.
func gateCommand(t *testing.T, backend, flags string) string {
	t.Helper()
	dir, err := filepath.Abs("testdata/gate")
	if err != nil {
		t.Fatal(err)
	}
	return "vyretop run " + dir + " --backend " + backend + " --workers 2 --workgroup-size 4 " + flags + "; echo status=$?; exec cat"
}

// TestDashboardSteersARun drives a live run through a terminal: pause and resume a worker, pause and
// resume all, change their number, requeue a task, leave. The run loses nothing by it.
func TestDashboardSteersARun(t *testing.T) {
	t.Parallel()
	t.Run(device.Reference, func(t *testing.T) { drive(t, device.Reference) })
	if openGLBuilt {
		t.Run(device.OpenGL, func(t *testing.T) { drive(t, device.OpenGL) })
	}
}

func drive(t *testing.T, backend string) {
	t.Parallel()
	s := newScreen(t, gateCommand(t, backend, ""))
	s.until(`gate`, `resident`, `q quit`)

	s.press("2")
	s.until(`^▸ +0 .*runner`)
	s.press("p")
	s.until(`^▸ +0 . PAUSED`, `1 PAUSED`)
	s.press("c")
	s.until(`^▸ +0 . (running|idle)`)

	s.press("P")
	s.until(`pause all`)
	s.press("y")
	s.until(`^▸ +0 . PAUSED`, `^ +1 . PAUSED`)
	s.press("C")
	s.until(`resume 2 paused workers`)
	s.press("y")
	s.until(`^▸ +0 . (running|idle)`, `^ +1 . (running|idle)`)

	s.typeText(":retune workers=3")
	s.press("Enter")
	s.until(`3×4`)

	s.press("3")
	s.typeText("/state=paused")
	s.press("Enter")
	s.until(`1/9`, `gatekeeper`)
	s.press("g")
	s.until(`^▸ +1 .*gatekeep`)
	s.press("R")
	s.until(`requeue task 1 as`)
	s.press("1")
	s.until(`parked`)
	s.press("0")
	s.until(`the work has ended`)
	s.press("q")
	s.until(`^tasks +9 submitted, 0 spawned, 9 done, 0 faulted$`, `1 requeues, 1 pauses`, `^verified +yes`, `^status=0$`)
	s.restored()
}

// TestQuittingCutsTheWorkShort: leaving while work is under way ends the run in order.
func TestQuittingCutsTheWorkShort(t *testing.T) {
	t.Parallel()
	s := newScreen(t, gateCommand(t, device.Reference, ""))
	s.until(`resident`, `q quit`)
	s.press("q")
	s.until(`the run is not finished: +e end it`)
	s.press("c")
	s.until(`q quit`)
	s.press("q")
	s.until(`the run is not finished: +e end it`)
	s.press("e")
	s.until(`0 faulted, 9 left$`, `^verified +no, the work was cut short$`, `^status=1$`)
	s.restored()
}

// TestSignalRestoresTheTerminal: a dashboard that is asked to terminate leaves a usable terminal.
func TestSignalRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	s := newScreen(t, gateCommand(t, device.Reference, ""))
	s.until(`resident`, `q quit`)
	s.tmux("run-shell", "pkill -TERM -P "+strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_pid}")))
	s.until(`^status=\d+$`)
	s.restored()
}

// TestLostTerminalEndsTheRun: when the terminal disappears the program ends, and the recording it
// was writing is complete.
func TestLostTerminalEndsTheRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.mcap")
	s := newScreen(t, gateCommand(t, device.Reference, "--record "+file))
	s.until(`resident`, `q quit`)
	s.tmux("kill-server")
	s.gone()
	rec, err := fixtures.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if rec.Truncated() || rec.Snapshots() == 0 || rec.Header().Target.Workload != "gate" {
		t.Errorf("truncated %v, %d snapshots of %q", rec.Truncated(), rec.Snapshots(), rec.Header().Target.Workload)
	}
}

// TestDemoPlays: the embedded recording runs in the dashboard, and its end can be reached.
func TestDemoPlays(t *testing.T) {
	t.Parallel()
	s := newScreen(t, "vyretop demo; echo status=$?; exec cat")
	s.until(`REPLAY`, `demo`)
	s.press("End")
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	last, _, err := rec.SnapshotNumber(rec.Snapshots() - 1)
	if err != nil {
		t.Fatal(err)
	}
	s.until(`epoch ` + strconv.Itoa(int(last.Epoch())))
	s.press("q")
	s.until(`^status=0$`)
	s.restored()
}

// TestDashboardBreaks sets breakpoints on a live run through a terminal: what it would have hit is said before, the one
// task is held, others continue, and leaving ends the run with that task left.
func TestDashboardBreaks(t *testing.T) {
	t.Parallel()
	backend := device.Reference
	if openGLBuilt {
		backend = device.OpenGL
	}
	s := newScreen(t, gateCommand(t, backend, ""))
	s.until(`gate`, `resident`, `q quit`)
	s.press("3")
	s.typeText("/id=3")
	s.press("Enter")
	s.until(`1/9`, `3 .*runner`)
	s.press("b")
	s.until(`op=runner stop`, `would have hit at least [0-9]+ times`, `id=3 stop`)
	s.press("t")
	s.until(`BREAK 1 HIT 1`, `paused`, `Enter source`)
	s.typeText(":bp op=runner && yields>5 hit%1000 count")
	s.press("Enter")
	s.until(`y +op=runner && yields>5 hit%1000 count`, `samples of the last`)
	s.press("y")
	s.until(`BREAK 2 HIT`)
	s.press("B")
	s.until(`1 +armed +1 stop +id=3`, `2 +armed .* count +op=runner`, `BREAK 2 *$`)
	s.press("Space")
	s.until(`1 +off +1 stop`, `BREAK 1`)
	s.press("B")
	s.until(`p pause`)

	s.typeText(":resume task 1")
	s.press("Enter")
	s.until(`resume task 1: applied`)
	s.until(`8/9 tasks`)
	s.press("q") // the end of the run takes the breakpoints away: they are not asked about
	s.until(`the run is not finished: +e end it`)
	s.press("e")
	s.until(`9 submitted, 0 spawned, 8 done, 0 faulted, 1 left`, `status=1`)
	s.restored()
	s.press("C-d")
	s.gone()
}
