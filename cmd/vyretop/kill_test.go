package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vyretop/fixtures"
)

// A killed host process must leave nothing behind that still runs: no child, no thread, and so nothing
// that could keep a kernel resident.
func TestKilledRunLeavesNothingRunning(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "recording")
	if err := syscall.Mkfifo(recording, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(recording, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run := vyretopCommand([]string{runtimeDir(t)}, "run", "collatz", "--headless", "--count", "100000", "--record", recording)
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	if err := f.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(make([]byte, 1)); err != nil { // what is recorded is resident
		t.Error(err)
	}
	if err := run.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := run.Wait(); err == nil || run.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		t.Fatalf("it ended by itself: %v", run.ProcessState)
	}
	if err := syscall.Kill(-run.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("something of its process group is still there: %v", err)
	}
}

// A terminal that goes away, and timeout(1), signal the whole process group, and the process that waits for a run forwards
// what it gets: the second signal ended the run in the middle of its recording.
func TestRepeatedHangupsAreOne(t *testing.T) {
	t.Parallel()
	runs := runtimeDir(t)
	recording := filepath.Join(t.TempDir(), "run.mcap")
	run := vyretopCommand([]string{runs, "GOTRACEBACK=crash"}, "run", "testdata/gate", "--headless", "--backend", "reference", "--workers", "2", "--workgroup-size", "4", "--record", recording)
	var said bytes.Buffer
	run.Stderr = &said // a crash is to name its place
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	if out, err := vyretopCommand([]string{runs}, "do", "wait", "submitted=9", "--wait", patience.String(), "--timeout", patience.String()).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	var err error
	for over := false; !over; {
		select {
		case err = <-ended:
			over = true
		default:
			_ = run.Process.Signal(syscall.SIGHUP) // it may have ended
		}
	}
	if err == nil || run.ProcessState.ExitCode() != exitFailed {
		t.Errorf("it ended with %v, want exit status %d\n%s", run.ProcessState, exitFailed, said.String())
	}
	rec, err := fixtures.Open(recording)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if rec.Truncated() || rec.Snapshots() == 0 {
		t.Errorf("the recording is truncated: %v; it has %d snapshots", rec.Truncated(), rec.Snapshots())
	}
}
