package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"vyretop/engine/device"
)

// ownerVariable is the process of the tests that have started this program, directly or through a shell or a terminal.
const ownerVariable = "VYRETOP_TEST_OWNER"

// own makes this process the owner of all that it starts.
func own() { os.Setenv(ownerVariable, strconv.Itoa(os.Getpid())) }

// endWithOwner kills this process when its owner ends: tests that are cut off end none of their programs, and a run of
// testdata/gate never ends by itself.
func endWithOwner() {
	pid, err := strconv.Atoi(os.Getenv(ownerVariable))
	if err != nil {
		return // no tests have started it
	}
	owner, err := unix.PidfdOpen(pid, 0)
	if errors.Is(err, unix.ESRCH) {
		os.Exit(98)
	}
	if err != nil {
		return // an old kernel
	}
	go func() {
		for ready := []unix.PollFd{{Fd: int32(owner), Events: unix.POLLIN}}; ; {
			if _, err := unix.Poll(ready, -1); errors.Is(err, unix.EINTR) {
				continue
			} else if err != nil {
				fmt.Fprintln(os.Stderr, "watch the owner:", err)
				return
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
	}()
}

// TestProgramsEndWithTheirTests: runs of tests that were cut off stayed, at full load.
func TestProgramsEndWithTheirTests(t *testing.T) {
	dir := t.TempDir()
	owner := exec.Command("sh", "-c", "read _") // until its input ends
	in, err := owner.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	run := exec.Command("vyretop", "run", "testdata/gate", "--headless", "--backend", device.Reference, "--workers", "1", "--workgroup-size", "4")
	run.Env = append(os.Environ(), fmt.Sprintf("%s=%d", ownerVariable, owner.Process.Pid), "XDG_RUNTIME_DIR="+dir)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	client := exec.Command("vyretop", "snapshot", "--wait", patience.String())
	client.Env = run.Env
	if text, err := client.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, text)
	}
	_ = in.Close()
	_ = owner.Wait() // its status does not matter
	if err := run.Wait(); run.ProcessState.ExitCode() != -1 {
		t.Errorf("it ended by itself: %v", err)
	}
}
