package remote

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vyretop/engine/fault"
	"vyretop/megakernel/resident"
)

// Sentinels for errors.Is.
const (
	// ErrNoTarget: no target of that name is running.
	ErrNoTarget fault.Kind = "no such target"
	// ErrLost: the connection to a target ended, and the run did not say why.
	ErrLost fault.Kind = "target lost"
	// ErrAway: what leads to the target, such as a hub, cannot be reached. Errors of DialOptions.Connect may be of this kind.
	ErrAway fault.Kind = "the way to the target is interrupted"
	// ErrRefused: the target does not talk to this client.
	ErrRefused fault.Kind = "refused by the target"
	// ErrReadOnly: the client may watch and not steer.
	ErrReadOnly fault.Kind = "read-only"
	// ErrRequest: a request cannot be carried out.
	ErrRequest fault.Kind = "request failed"
	// ErrListen: a run cannot be reached from outside.
	ErrListen fault.Kind = "cannot listen"
	// ErrUntrusted: the directory of the sockets, or what listens there, may belong to another user.
	ErrUntrusted fault.Kind = "untrusted"
)

// noTarget says which target was not found, "" where none was named, and which there are.
func noTarget(name string, running []string) error {
	e := &fault.Error{Kind: ErrNoTarget, Fix: noRun}
	switch {
	case isFolder(name):
		e.Detail = "no run named " + name + " is live, and the folder of that name is not a run"
		e.Fix = "list the runs with `vyretop list`; run the workload in the folder with `vyretop run " + folderPath(name) + "`; " + stillCompiling
	case len(running) == 0 && name == "":
		e.Detail = "no run can be reached"
	case len(running) == 0:
		e.Detail = fmt.Sprintf("no run is named %s, and none can be reached", name)
	case name == "":
		e.Detail, e.Fix = fmt.Sprintf("%d runs can be reached", len(running)), "name one of "+strings.Join(running, ", ")+", as --target where the command takes that flag"
	default:
		e.Detail, e.Fix = "no run is named "+name, fault.Suggest(name, running, "name one of "+strings.Join(running, ", ")+"; "+stillCompiling)
	}
	return e
}

// isFolder reports whether a name is that of a folder here: runs are named after the folders of their workloads.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return name != "" && err == nil && info.IsDir()
}

// folderPath is a folder's path as no run is named.
func folderPath(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return "./" + filepath.ToSlash(filepath.Clean(name))
}

// stillCompiling is what to do about a run that has no socket yet. It has one from when its kernel is compiled, which takes up
// to a minute.
const stillCompiling = "for one that is still compiling its kernel, add --wait 1m"

// noRun is what to do where no run can be reached.
const noRun = "start one with `vyretop run WORKLOAD`; " + stillCompiling

// Lost says that the connection to a target ended.
func Lost(name string, cause error) error {
	return &fault.Error{Kind: ErrLost, Subject: "the connection to " + name + " was lost", Cause: cause, Fix: "see whether the run is still there with `vyretop list`"}
}

// RequestError is an error that a target answered a request with.
type RequestError struct {
	Text string // as the target said it
	Err  error  // what it was, as far as it travels; may be nil
}

// Error implements error.
func (e *RequestError) Error() string { return e.Text }

// Unwrap makes errors.Is work for ErrRequest and, with errors.As, for the error of the target. A target
// that has stopped is as good as lost.
func (e *RequestError) Unwrap() []error {
	switch {
	case e.Err == nil:
		return []error{ErrRequest}
	case errors.Is(e.Err, resident.ErrStopped):
		return []error{ErrRequest, e.Err, ErrLost}
	}
	return []error{ErrRequest, e.Err}
}
