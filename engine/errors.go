package engine

import (
	"cmp"
	"errors"

	"vyretop/engine/fault"
)

// ErrorCode identifies a kind of backend error by a number that never changes, so that tools and
// recordings can name it.
type ErrorCode int

// The stable error numbers.
const (
	CodeDeviceOutOfMemory            ErrorCode = 1001
	CodeUnsupportedFeature           ErrorCode = 1002
	CodePoisoned                     ErrorCode = 1003
	CodeKernelCompileFailed          ErrorCode = 1004
	CodeDispatchFailed               ErrorCode = 1005
	CodeInvalidProgram               ErrorCode = 1006
	CodeCooperativeResidencyExceeded ErrorCode = 1007
	CodeDeviceLost                   ErrorCode = 1008
	CodeUnknown                      ErrorCode = 1999
)

// Sentinels for errors.Is: every *Error matches the sentinel of its code.
var (
	ErrDeviceOutOfMemory   = errors.New("device out of memory")
	ErrUnsupportedFeature  = errors.New("unsupported feature")
	ErrPoisoned            = errors.New("poisoned state")
	ErrKernelCompileFailed = errors.New("kernel compile failed")
	ErrDispatchFailed      = errors.New("dispatch failed")
	ErrInvalidProgram      = errors.New("invalid program")
	ErrResidencyExceeded   = errors.New("cooperative residency exceeded")
	ErrDeviceLost          = errors.New("device lost")
	ErrUnknown             = errors.New("unknown backend error")
)

var sentinelOf = map[ErrorCode]error{
	CodeDeviceOutOfMemory:            ErrDeviceOutOfMemory,
	CodeUnsupportedFeature:           ErrUnsupportedFeature,
	CodePoisoned:                     ErrPoisoned,
	CodeKernelCompileFailed:          ErrKernelCompileFailed,
	CodeDispatchFailed:               ErrDispatchFailed,
	CodeInvalidProgram:               ErrInvalidProgram,
	CodeCooperativeResidencyExceeded: ErrResidencyExceeded,
	CodeDeviceLost:                   ErrDeviceLost,
	CodeUnknown:                      ErrUnknown,
}

// Error is what every operation of a backend returns when it fails.
type Error struct {
	Code    ErrorCode
	Backend string // "gl", "reference", or "" when the error is about the program alone
	Op      string // what was being done, on what: `compile "scan"`
	Detail  string // what went wrong, one sentence without full stop; a driver's log may follow on further lines
	Fix     string // what to do; empty where Err says it
	Log     string // the compiler's log with our line numbers, where there is one
	Err     error  // cause, may be nil

	Requested, Available uint64 // bytes; set for CodeDeviceOutOfMemory
	Feature              string // set for CodeUnsupportedFeature
}

// Error renders "backend: op: kind: detail. Fix: …".
func (e *Error) Error() string { return fault.Text(e.Parts()) }

// Parts are the text without what to do, and what to do: that of the cause where the error has none of its own.
func (e *Error) Parts() (s, fix string) {
	s, fix = e.Op, e.Fix
	if e.Backend != "" {
		s = e.Backend + ": " + s
	}
	if k, ok := sentinelOf[e.Code]; ok {
		s += ": " + k.Error()
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Err != nil {
		cause, otherwise := fault.Parts(e.Err)
		fix = cmp.Or(fix, otherwise)
		s += ": " + cause
	}
	if e.Log != "" {
		s += "\n" + e.Log + "\n"
	}
	return s, fix
}

// Unwrap gives errors.Is and errors.As the sentinel of the code and the cause.
func (e *Error) Unwrap() []error {
	out := []error{}
	if k, ok := sentinelOf[e.Code]; ok {
		out = append(out, k)
	}
	if e.Err != nil {
		out = append(out, e.Err)
	}
	return out
}
