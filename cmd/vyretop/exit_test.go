package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/live"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/resident"
)

// refusing is a target that answers every undo with an error.
type refusing struct {
	live.Session
	err error
}

func (refusing) Snapshot() *megakernel.Snapshot { return nil }

func (refusing) TakeLog(int) megakernel.LogBlocks { return nil }

func (refusing) Settings() megakernel.Settings { return megakernel.Settings{} }

func (r refusing) Undo(context.Context) ([]megakernel.Change, error) { return nil, r.err }

// TestExitStatusOverTheSocket: an error of a run in another process gives the exit status that it has in
// this one, and a run that has stopped is lost.
func TestExitStatusOverTheSocket(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		want int
	}{
		"option":     {&fault.Error{Kind: resident.ErrOption, Subject: "lanes = "}, exitUsage},
		"setting":    {&fault.Error{Kind: megakernel.ErrSetting, Subject: "aging=-1"}, exitUsage},
		"undo":       {&fault.Error{Kind: resident.ErrUndo, Op: "undo"}, exitFailed},
		"draining":   {&fault.Error{Kind: resident.ErrDraining, Op: "retune"}, exitFailed},
		"stopped":    {&fault.Error{Kind: resident.ErrStopped, Op: "pause all"}, exitDevice},
		"lost":       {&fault.Error{Kind: resident.ErrStopped, Cause: &engine.Error{Code: engine.CodeDeviceLost}}, exitDevice},
		"compiler":   {&engine.Error{Code: engine.CodeKernelCompileFailed}, exitUsage},
		"unanswered": {&fault.Error{Kind: resident.ErrUnanswered, Cause: context.DeadlineExceeded}, exitFailed},
		"unknown":    {errors.New("whatever"), exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			if got := exitStatus(overTheSocket(t, tt.err)); got != tt.want {
				t.Errorf("the exit status is %d, want %d", got, tt.want)
			}
		})
	}
}

// overTheSocket is what a client gets where the target has err.
func overTheSocket(t *testing.T, err error) error {
	dir := t.TempDir() + "/run"
	h := fixtures.Header{Target: megakernel.Target{Workload: "refusing", Protocol: megakernel.ProtocolVersion}}
	server, failed := remote.Listen(live.New(refusing{err: err}, h.Target, live.Options{}), h, remote.Options{Dir: dir})
	if failed != nil {
		t.Fatal(failed)
	}
	defer server.Close()
	client, failed := remote.Dial(t.Context(), server.Name(), remote.DialOptions{Dir: dir, Control: remote.ControlAuto})
	if failed != nil {
		t.Fatal(failed)
	}
	defer client.Close()
	_, got := client.Undo(t.Context())
	return got
}

// TestCommandsAreNotKept: what completes the flags of a command was kept by the command library for as long as the process
// lived, and all commands with it: tests that run thousands of them never ended.
func TestCommandsAreNotKept(t *testing.T) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	version := func() { doMain([]string{"version"}, strings.NewReader(""), io.Discard, io.Discard, nil) }
	version() // what is made once
	before := heap()
	const times = 50
	for range times {
		version()
	}
	if after := heap(); after > before+times<<12 {
		t.Errorf("%d commands keep %d KiB", times, (after-before)>>10)
	}
}
