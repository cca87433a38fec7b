package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"vyretop/engine/fault"
)

// Sentinels for errors.Is. ErrManifest matches every error about a manifest.
const (
	ErrManifest        fault.Kind = "invalid workload manifest"
	ErrSyntax          fault.Kind = "not valid TOML"
	ErrUnknownKey      fault.Kind = "unknown key"
	ErrMissing         fault.Kind = "missing value"
	ErrValue           fault.Kind = "invalid value"
	ErrDuplicate       fault.Kind = "given twice"
	ErrUnknownOpcode   fault.Kind = "unknown opcode"
	ErrDuplicateOpcode fault.Kind = "duplicate opcode"
	ErrReservedOpcode  fault.Kind = "reserved opcode"
	ErrHandler         fault.Kind = "missing handler"
	ErrBinding         fault.Kind = "invalid binding"
	ErrFile            fault.Kind = "unusable file"
	ErrSize            fault.Kind = "invalid size"

	// ErrNotFound: there is no shipped workload and no folder of that name.
	ErrNotFound fault.Kind = "workload not found"
	// ErrFlag: a flag is unknown or its value does not fit.
	ErrFlag fault.Kind = "invalid workload flag"
	// ErrInput: what the workload is to work on is missing or unusable.
	ErrInput fault.Kind = "unusable input"
	// ErrOutput: what came of the work could not be written where it was asked for.
	ErrOutput fault.Kind = "unusable output"
	// ErrProtocol: the kernel's answers contradict each other.
	ErrProtocol fault.Kind = "inconsistent answer of the kernel"
	// ErrTaskFaulted: a task ended in a fault that the workload does not expect.
	ErrTaskFaulted fault.Kind = "task faulted"
)

// ManifestError says what is wrong in a manifest, and where.
type ManifestError struct {
	Kind   error  // one of the sentinels above
	File   string // the manifest
	Line   int    // from 1; 0 when the error is about the whole file
	Item   string // "buffer \"text\"", "" for the manifest itself
	Detail string
	Fix    string
	Err    error // cause, may be nil
}

// Error renders "file:line: item: kind: detail: cause. Fix: …".
func (e *ManifestError) Error() string {
	parts := []string{e.File}
	if e.Line > 0 {
		parts[0] = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	if e.Item != "" {
		parts = append(parts, e.Item)
	}
	parts = append(parts, e.Kind.Error(), e.Detail)
	if e.Err != nil {
		parts = append(parts, e.Err.Error())
	}
	return strings.Join(parts, ": ") + ". Fix: " + e.Fix
}

// Unwrap gives errors.Is ErrManifest, the kind and the cause.
func (e *ManifestError) Unwrap() []error {
	out := []error{ErrManifest, e.Kind}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}

// Error is an error of a workload outside its manifest.
type Error struct {
	Kind   error  // one of the sentinels above
	Name   string // workload, flag or file that it is about
	Detail string
	Fix    string
	Err    error // cause, may be nil
}

// Error renders "name: kind: detail: cause. Fix: …".
func (e *Error) Error() string {
	s := fmt.Sprintf("%s: %s: %s", e.Name, e.Kind, e.Detail)
	if e.Err != nil {
		s += ": " + e.cause()
	}
	return s + ". Fix: " + e.Fix
}

// cause is the cause in words. That of a failed access to the file that Name names has neither the name again nor the system call.
func (e *Error) cause() string {
	if path := (*fs.PathError)(nil); errors.As(e.Err, &path) && path.Path == e.Name {
		return path.Err.Error()
	}
	return e.Err.Error()
}

// Unwrap gives errors.Is the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err != nil {
		return []error{e.Kind, e.Err}
	}
	return []error{e.Kind}
}
