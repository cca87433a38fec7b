package main

import (
	"errors"
	"io/fs"
	"syscall"

	"vyretop/engine"
	"vyretop/engine/check"
	"vyretop/engine/debugger"
	"vyretop/engine/debugger/dap"
	"vyretop/engine/device"
	"vyretop/engine/dispatch"
	"vyretop/engine/fault"
	"vyretop/engine/glsl/source"
	"vyretop/engine/plainfile"
	"vyretop/fixtures"
	"vyretop/megakernel"
	"vyretop/megakernel/bench"
	"vyretop/megakernel/bisect"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/capture"
	"vyretop/megakernel/command"
	"vyretop/megakernel/filter"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/fleet/work"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/kernel"
	"vyretop/megakernel/layout"
	"vyretop/megakernel/peer"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/replay"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/run"
	"vyretop/megakernel/targets"
	"vyretop/megakernel/tune"
	"vyretop/megakernel/words"
	"vyretop/megakernel/workload"
	"vyretop/tasks"
	"vyretop/tui/config"
	"vyretop/tui/theme"
)

// The exit statuses.
const (
	exitOK     = 0
	exitFailed = 1 // the run or its verification failed, backends differ, or a condition is true
	exitUsage  = 2 // wrong usage, or input that cannot be used
	exitDevice = 3 // no device or target, or it was lost
)

// errUsage is the kind of errors about the command line.
const errUsage fault.Kind = "wrong usage"

// usage says what is wrong with the command line.
func usage(what, fix string) error { return &fault.Error{Kind: errUsage, Detail: what, Fix: fix} }

// statusOf lists the errors that have an exit status of their own; the first that matches decides.
var statusOf = []struct {
	err    error
	status int
}{
	{engine.ErrDeviceLost, exitDevice},
	{resident.ErrReload, exitUsage},
	{run.ErrReload, exitUsage},
	{device.ErrUnavailable, exitDevice},
	{remote.ErrNoTarget, exitDevice},
	{remote.ErrLost, exitDevice},
	{remote.ErrRefused, exitDevice},
	{remote.ErrUntrusted, exitDevice},
	{fleet.ErrHub, exitDevice},
	{fleet.ErrVersion, exitDevice},
	{targets.ErrName, exitDevice},
	{fleet.ErrAddress, exitUsage},
	{fleet.ErrAudit, exitDevice},
	{broker.ErrListen, exitUsage},
	{broker.ErrStore, exitUsage},
	{work.ErrFailed, exitFailed},
	{work.ErrInputs, exitUsage},
	{work.ErrName, exitUsage},
	{work.ErrQueue, exitDevice},
	{fleet.ErrRecordings, exitDevice},
	{broker.ErrUsers, exitUsage},
	{broker.ErrCertificate, exitUsage},
	{inspect.ErrSubject, exitUsage},
	{inspect.ErrNoSnapshot, exitUsage},
	{words.ErrPlace, exitUsage},
	{layout.ErrPath, exitUsage},
	{layout.ErrValue, exitUsage},
	{remote.ErrReadOnly, exitFailed},
	{filter.ErrSyntax, exitUsage},
	{command.ErrCommand, exitUsage},
	{inspect.ErrNoRing, exitUsage},
	{inspect.ErrGoTest, exitUsage},
	{replay.ErrHandlers, exitUsage},
	{replay.ErrSupposed, exitUsage},
	{bisect.ErrProgram, exitUsage},
	{bisect.ErrSides, exitUsage},
	{megakernel.ErrOtherWorkload, exitUsage},
	{config.ErrConfig, exitUsage},
	{theme.ErrLooks, exitUsage},
	{workload.ErrManifest, exitUsage},
	{workload.ErrNotFound, exitUsage},
	{workload.ErrFlag, exitUsage},
	{workload.ErrInput, exitUsage},
	{run.ErrNotShared, exitUsage},
	{run.ErrStartNow, exitUsage},
	{run.ErrOneDevice, exitUsage},
	{kernel.ErrConfig, exitUsage},
	{resident.ErrOption, exitUsage},
	{tune.ErrBudget, exitUsage},
	{tune.ErrEnded, exitDevice},
	{tune.ErrFinished, exitDevice},
	{megakernel.ErrSetting, exitUsage},
	{breakpoint.ErrCondition, exitUsage},
	{dispatch.ErrRequest, exitUsage},
	{debugger.ErrRequest, exitUsage},
	{dap.ErrRequest, exitUsage},
	{check.ErrTarget, exitUsage},
	{capture.ErrCapture, exitUsage},
	{replay.ErrActivation, exitUsage},
	{bench.ErrMetric, exitUsage},
	{policy.ErrInput, exitUsage},
	{policy.ErrOverflow, exitUsage},
	{megakernel.ErrFormat, exitUsage},
	{megakernel.ErrTaskName, exitUsage},
	{tasks.ErrWord, exitUsage},
	{peer.ErrReplayFormat, exitUsage},
	{peer.ErrReplayShort, exitUsage},
	{peer.ErrReplayCapacity, exitUsage},
	{engine.ErrInvalidProgram, exitUsage},
	{engine.ErrKernelCompileFailed, exitUsage},
	{engine.ErrUnsupportedFeature, exitUsage},
	{fixtures.ErrNotRecording, exitUsage},
	{fixtures.ErrVersion, exitUsage},
	{fixtures.ErrDamaged, exitUsage},
	{fixtures.ErrNothingToRecover, exitUsage},
	{fixtures.ErrExists, exitUsage},
	{fixtures.ErrNoContents, exitUsage},
	{fs.ErrNotExist, exitUsage},
	{fs.ErrPermission, exitUsage},
	{syscall.EISDIR, exitUsage},
	{plainfile.ErrSpecial, exitUsage},
	{syscall.ENOTDIR, exitUsage},
}

// exitStatus maps an error of a command to the exit status.
func exitStatus(err error) int {
	var outside source.Diagnostics
	if errors.Is(err, errUsage) || errors.As(err, &outside) || errors.Is(err, plainfile.ErrFile) {
		return exitUsage
	}
	if errors.Is(err, tune.ErrStore) {
		return exitFailed // whatever is wrong with the place: the search itself went well
	}
	for _, s := range statusOf {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	return exitFailed
}
