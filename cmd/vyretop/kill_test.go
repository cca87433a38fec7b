package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A killed host process must leave nothing behind that still runs: no child, no thread, and so nothing
// that could keep a kernel resident.
func TestKilledRunLeavesNothingRunning(t *testing.T) {
	recording := filepath.Join(t.TempDir(), "recording")
	if err := syscall.Mkfifo(recording, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(recording, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	run := exec.Command("vyretop", "run", "collatz", "--headless", "--count", "100000", "--record", recording)
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	if err := f.SetReadDeadline(time.Now().Add(2 * time.Minute)); err != nil {
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
