package workload

import (
	"errors"
	"fmt"
	"io/fs"

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

// Invalid says what is wrong in a manifest, at a place that Where makes: "where: kind: detail: cause. Fix: …". The error is of
// the kind, and of ErrManifest.
func Invalid(kind fault.Kind, where, detail string, cause error, fix string) error {
	return &fault.Error{Kind: ErrManifest, Cause: Failure(kind, where, detail, cause, fix)}
}

// Where is a place in a manifest: a line, or 0 where it is about the whole file, and what it is about, such as "buffer text", or
// "" for the manifest itself.
func Where(file string, line int, item string) string {
	if line > 0 {
		file = fmt.Sprintf("%s:%d", file, line)
	}
	if item != "" {
		return file + ": " + item
	}
	return file
}

// Failure is an error of a workload: "name: kind: detail: cause. Fix: …". Name is the workload, flag or file that it is about; of
// a failed access to that file the text has neither its name again nor the system call.
func Failure(kind fault.Kind, name, detail string, cause error, fix string) error {
	if path := (*fs.PathError)(nil); errors.As(cause, &path) && path.Path == name {
		cause = path.Err
	}
	return &fault.Error{Kind: kind, Subject: name, Detail: string(kind) + ": " + detail, Cause: cause, Fix: fix}
}
