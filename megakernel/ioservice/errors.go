package ioservice

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
)

// ErrRequest is matched by every error of a request.
const ErrRequest fault.Kind = "request of the kernel not served"

// RequestError says which request was answered with an error, and why.
type RequestError struct {
	Code   megakernel.FaultCode // what the device is told
	File   string
	Offset uint64
	Bytes  uint32
	Detail string
	Err    error // cause, may be nil
	Fix    string
}

// Error implements error.
func (e *RequestError) Error() string {
	text := fmt.Sprintf("%s: %d bytes from %d on: %s", e.File, e.Bytes, e.Offset, e.Detail)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text + ". Fix: " + e.Fix
}

// Unwrap makes errors.Is match ErrRequest and the cause.
func (e *RequestError) Unwrap() []error {
	if e.Err == nil {
		return []error{ErrRequest}
	}
	return []error{ErrRequest, e.Err}
}
