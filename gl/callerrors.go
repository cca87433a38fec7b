//go:build cgo && egl

package gl

import (
	"context"
	"errors"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
)

func closedError(op string) *engine.Error {
	return fail(engine.CodePoisoned, op, "the backend has been closed", "open a new one")
}

// goneWithDevice is the error of using what was made before the device was lost.
func goneWithDevice(op string) *engine.Error {
	return fail(engine.CodePoisoned, op, "it was on the device when that was lost", "make it again on the recovered backend, and fill it")
}

func invalid(op, detail, fix string) *engine.Error {
	return fail(engine.CodeInvalidProgram, op, detail, fix)
}

// typed turns whatever a command returned into an *engine.Error.
func typed(op string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*engine.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*glapi.CallError](err); ok {
		return callFailed(op, e.Code, err)
	}
	var e *engine.Error
	switch {
	case errors.Is(err, owner.ErrClosed):
		e = closedError(op)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e = fail(engine.CodeUnknown, op, "given up before the device was free for it",
			"end the running kernel first, or wait longer")
	default:
		e = fail(engine.CodeUnknown, op, "", "report this with the output of `vyretop doctor`")
	}
	e.Err = err
	return e
}

func callFailed(op string, glCode uint32, err error) *engine.Error {
	var e *engine.Error
	switch glCode {
	case glapi.OutOfMemory:
		e = fail(engine.CodeDeviceOutOfMemory, op, "", "use smaller buffers or end other programs that use the device")
	case glapi.ContextLost:
		e = deviceLost(op)
	default:
		e = fail(engine.CodeUnknown, op, "", "run with --debug to see the call that failed")
	}
	e.Err = err
	return e
}

func deviceLost(op string) *engine.Error {
	return fail(engine.CodeDeviceLost, op, "the device was reset and everything on it is gone",
		"recover the backend, or open it again; if it recurs, shorten the slices (a display's watchdog ends long ones) or look for an endless loop or a wild write in a handler")
}

// lossError is the error of what cannot be done because of an earlier loss.
func lossError(op string, lost error) *engine.Error {
	e := deviceLost(op)
	e.Err = lost
	return e
}
