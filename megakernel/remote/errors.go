package remote

import (
	"errors"
	"fmt"
	"strings"

	"vyretop/megakernel/resident"
	"vyretop/megakernel/suggest"
)

// Sentinels for errors.Is.
var (
	// ErrNoTarget: no target of that name is running.
	ErrNoTarget = errors.New("no such target")
	// ErrLost: the connection to a target ended, and the run did not say why.
	ErrLost = errors.New("target lost")
	// ErrRefused: the target does not talk to this client.
	ErrRefused = errors.New("refused by the target")
	// ErrReadOnly: the client may watch and not steer.
	ErrReadOnly = errors.New("read-only")
	// ErrRequest: a request cannot be carried out.
	ErrRequest = errors.New("request failed")
	// ErrListen: a run cannot be reached from outside.
	ErrListen = errors.New("cannot listen")
	// ErrUntrusted: the directory of the sockets, or what listens there, may belong to another user.
	ErrUntrusted = errors.New("untrusted")
)

// NoTargetError says which target was not found, and which there are.
type NoTargetError struct {
	Name    string // "" where none was named
	Running []string
}

// Error implements error.
func (e *NoTargetError) Error() string {
	switch {
	case len(e.Running) == 0 && e.Name == "":
		return "no run can be reached. Fix: start one with `vyretop run WORKLOAD`"
	case len(e.Running) == 0:
		return fmt.Sprintf("no run is named %s, and none can be reached. Fix: start one with `vyretop run WORKLOAD`", e.Name)
	case e.Name == "":
		return fmt.Sprintf("%d runs can be reached. Fix: name one of %s", len(e.Running), strings.Join(e.Running, ", "))
	}
	return fmt.Sprintf("no run is named %s. Fix: %s", e.Name, suggest.Fix(e.Name, e.Running, "name one of "+strings.Join(e.Running, ", ")))
}

// Unwrap makes errors.Is(err, ErrNoTarget) true.
func (e *NoTargetError) Unwrap() error { return ErrNoTarget }

// LostError says that the connection to a target ended.
type LostError struct {
	Name  string
	Cause error
}

// Error implements error.
func (e *LostError) Error() string {
	return fmt.Sprintf("the connection to %s was lost: %v. Fix: see whether the run is still there with `vyretop info`", e.Name, e.Cause)
}

// Unwrap makes errors.Is work for ErrLost and the cause.
func (e *LostError) Unwrap() []error { return []error{ErrLost, e.Cause} }

// RefusedError says why a target does not talk to this client.
type RefusedError struct{ Name, Text string }

// Error implements error.
func (e *RefusedError) Error() string { return e.Name + " refused: " + e.Text }

// Unwrap makes errors.Is(err, ErrRefused) true.
func (e *RefusedError) Unwrap() error { return ErrRefused }

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

// ListenError says why a run cannot be reached from outside.
type ListenError struct {
	Path   string
	Detail string
	Err    error
	Fix    string
}

// Error implements error.
func (e *ListenError) Error() string {
	text := "cannot listen on " + e.Path + ": " + e.Detail
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + ". Fix: " + e.Fix
}

// Unwrap makes errors.Is work for ErrListen and the cause.
func (e *ListenError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrListen}
	}
	return []error{ErrListen, e.Err}
}

// UntrustedError says why the directory of the sockets, or a socket in it, is not used.
type UntrustedError struct {
	Path   string
	Detail string
	Fix    string
}

// Error implements error.
func (e *UntrustedError) Error() string {
	return e.Path + ": " + e.Detail + "; not used. Fix: " + e.Fix
}

// Unwrap makes errors.Is(err, ErrUntrusted) true.
func (e *UntrustedError) Unwrap() error { return ErrUntrusted }
