package plainfile

import (
	"errors"
	"io/fs"

	"vyretop/engine/fault"
)

// ErrFile is matched by errors about files that a user named and that cannot be used.
const ErrFile fault.Kind = "file cannot be used"

// Failure says what could not be done with a file, why, and what to do. The error matches ErrFile and the cause.
func Failure(op, path string, cause error, fix string) error {
	if call := (*fs.PathError)(nil); errors.As(cause, &call) {
		cause = call.Err // it would name the file again
	}
	return &fault.Error{Kind: ErrFile, Op: op, Subject: path, Cause: cause, Fix: fix}
}
