package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"vyretop/engine/device"
)

// vyretopSays runs a command without a terminal, and returns what it prints and its exit status.
func vyretopSays(t *testing.T, env []string, args ...string) (text string, status int) {
	t.Helper()
	out, err := vyretopCommand(env, args...).CombinedOutput()
	if ended := new(exec.ExitError); errors.As(err, &ended) {
		return string(out), ended.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}

// TestADetachedRunRunsOn: leaving the dashboard of a run was the end of the run. A detached one survives its terminal, can
// be listed, watched, steered and ended, and its summary is there after its end.
func TestADetachedRunRunsOn(t *testing.T) {
	t.Parallel()
	env := []string{runtimeDir(t), "XDG_STATE_HOME=" + t.TempDir()}
	own := newScreen(t, gateCommand(t, device.Reference, ""), env...)
	own.until(`gate`, `resident`, `q quit`)
	own.press("q")
	own.until(`d detach, it keeps running`)
	t.Cleanup(func() { _ = vyretopCommand(env, "do", "stop", "--target", "gate", "--control").Run() }) // it has ended, unless the test failed
	own.press("d")
	own.until(`gate keeps running without a terminal`, `vyretop attach gate --control`, `^status=0$`)
	own.restored()
	own.tmux("kill-server")

	if text, status := vyretopSays(t, env, "list"); status != 0 || !strings.Contains(text, "gate  runs  detached ") {
		t.Errorf("list: status %d, %s", status, text)
	}
	driver := newScreen(t, "vyretop attach gate --control; echo status=$?; exec cat", env...)
	driver.until(`^ *vyretop +gate +reference`, `resident`, `q quit`) // not gate gate
	driver.press("2")
	driver.until(`^▸ +0 .*runner`)
	driver.press("p")
	driver.until(`^▸ +0 . PAUSED`)
	driver.press("q")
	driver.until(`1 worker is paused:`)
	driver.press("r")
	driver.until(`^status=0$`)

	if text, status := vyretopSays(t, env, "attach", "gate"); status != exitUsage || !strings.Contains(text, "attach needs a terminal") {
		t.Errorf("attach without a terminal: status %d, %s", status, text)
	}
	if text, status := vyretopSays(t, env, "attach", "gone"); status != exitDevice || !strings.Contains(text, "no run is named gone") {
		t.Errorf("attach to an unknown name without a terminal: status %d, %s", status, text)
	}
	if text, status := vyretopSays(t, env, "do", "stop", "--target", "gate"); status != 0 {
		t.Errorf("stop: status %d, %s", status, text)
	}
	late := newScreen(t, "until vyretop list | grep -q ended; do :; done; vyretop attach gate; echo status=$?; exec cat", env...)
	late.until(`0 faulted, 9 left$`, `^verified +no, the work was cut short$`, `^ended .*, exit status 1$`, `status=1$`)
}

// TestAKilledRunLeavesTheTerminalInOrder: a run that was killed left the dashboard on the screen, in raw mode and with mouse reports,
// and said nothing.
func TestAKilledRunLeavesTheTerminalInOrder(t *testing.T) {
	t.Parallel()
	s := newScreen(t, gateCommand(t, device.Reference, ""))
	s.until(`gate`, `resident`, `q quit`)
	shell := strings.TrimSpace(s.tmux("display-message", "-p", "#{pane_pid}"))
	run, err := strconv.Atoi(onlyChild(t, onlyChild(t, shell))) // of the waiting process
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(run, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.until(`the run was ended by a signal .killed., exit status 137. Fix:`, `^status=137$`)
	s.restored()
}

// onlyChild is the process that another one has started.
func onlyChild(t *testing.T, process string) string {
	t.Helper()
	threads, _ := filepath.Glob(filepath.Join("/proc", process, "task", "*", "children")) // any of them may have started it
	var children []string
	for _, file := range threads {
		text, _ := os.ReadFile(file) // a thread may have ended
		children = append(children, strings.Fields(string(text))...)
	}
	if len(children) == 1 {
		return children[0]
	}
	t.Fatalf("children of process %s: %v", process, children)
	return ""
}

// TestAnInterruptedRunKeepsItsResults: Ctrl-C of a headless run threw away what was done, its outputs and its summary.
func TestAnInterruptedRunKeepsItsResults(t *testing.T) {
	t.Parallel()
	s := newScreen(t, "trap : INT; "+gateCommand(t, device.Reference, "--headless"))
	s.until(`0 %|tasks`)
	s.press("C-c")
	s.until(`cut short: its results are partial`, `^work +[0-9.]+ % done: [0-9]+ of [0-9]+ tasks$`, `^verified +no, the work was cut short$`, `^status=1$`)
}

// TestCtrlCLeavesWithOnePress: prompts, dialogs and questions swallowed Ctrl-C, and so did what waits.
func TestCtrlCLeavesWithOnePress(t *testing.T) {
	t.Parallel()
	file := t.TempDir() + "/run.mcap"
	t.Cleanup(func() {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("the recording of an interrupted run: %v", err)
		}
	})
	const ends = `status=1$`
	for name, tc := range map[string]struct {
		flags string   // of the run; "-" for no run
		other string   // command instead
		steps []string // what is waited for, and the key that is pressed then, in turns
		last  string   // what is waited for before Ctrl-C
		then  string
	}{
		"running":             {last: `resident`, then: ends},
		"started paused":      {flags: "--paused", last: `PAUSED`, then: ends},
		"held by breakpoint":  {flags: `--break "op=runner"`, last: `BREAK 1 HIT`, then: ends},
		"in a prompt":         {steps: []string{`resident`, ":"}, last: `^:`, then: ends},
		"in a filter":         {steps: []string{`resident`, "3", `gatekeeper`, "/"}, last: `^/`, then: ends},
		"in a question":       {steps: []string{`resident`, "P"}, last: `pause all`, then: ends},
		"asked on leaving":    {steps: []string{`resident`, "q"}, last: `c cancel`, then: ends},
		"in the help":         {steps: []string{`resident`, "?"}, last: `Esc`, then: ends},
		"recording":           {flags: "--record " + file, last: `resident`, then: ends},
		"headless":            {flags: "--headless", last: `0 %|tasks`, then: ends},
		"line by line":        {flags: "--linear", last: `resident`, then: ends},
		"waiting for a name":  {other: "vyretop attach absent --wait 5m", last: `^waiting for absent`, then: `status=([13]|130)$`},
		"finished":            {other: "vyretop run collatz --backend reference --count 2000", last: `FINISHED, verified`, then: `^status=0$`},
		"attached":            {other: "(" + gateCommand(t, device.Reference, "--headless") + ") >/dev/null 2>&1 & vyretop attach gate --wait 5m", last: `resident.*READ-ONLY`, then: `^status=0$`},
		"playing a recording": {other: "vyretop demo", last: `REPLAY`, then: `^status=0$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := gateCommand(t, device.Reference, tc.flags)
			if tc.other != "" {
				command = tc.other + "; echo status=$?; exec cat"
			}
			s := newScreen(t, "trap : INT; "+command)
			for i := 0; i+1 < len(tc.steps); i += 2 {
				s.until(tc.steps[i])
				s.press(tc.steps[i+1])
			}
			s.until(tc.last)
			s.press("C-c")
			s.until(tc.then)
			s.restored()
		})
	}
}

// TestAStalledDiskCanBeLeft: what waits for the disk of a recording says so on the terminal, and Ctrl-C leaves with the
// results of the run, which were lost, and without a socket. The disk is a pipe that its reader forgets.
func TestAStalledDiskCanBeLeft(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		run     string
		cut     bool // it runs until Ctrl-C
		results string
	}{
		"finished":    {run: "collatz --backend reference --count 20000 --headless", results: `20000 done, 0 faulted`},
		"interrupted": {cut: true, results: `0 faulted, 9 left`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			forgotten(t, filepath.Join(dir, "pipe"))
			command := gateCommand(t, device.Reference, "--headless --record pipe")
			if tc.run != "" {
				command = "vyretop run " + tc.run + " --record pipe; echo status=$?; exec cat"
			}
			s := newScreen(t, "cd "+dir+"; trap : INT; "+command, "XDG_RUNTIME_DIR="+dir) // what is said of a short name has a line
			if tc.cut {
				s.until(`^vyretop: waiting for the reader of recording pipe$`) // it is full, and the run continues
				s.press("C-c")
			}
			s.until(`waiting for the reader of recording .*Ctrl-C leaves without the rest of it`)
			s.press("C-c")
			s.until(`the end of the recording was not written. Fix: replay`, tc.results, `^status=1$`)
			if left, _ := filepath.Glob(filepath.Join(dir, "vyretop", "*.sock")); len(left) > 0 {
				t.Errorf("it left %q", left)
			}
		})
	}
}

// forgotten makes a pipe that takes 128 KiB, which is more than a recording begins with, and nothing after that: it is open for reading until the test ends.
func forgotten(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // does not wait for the writer
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, 1<<17); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
}
