package egl

import (
	"fmt"

	"vyretop/engine/fault"
)

// ErrCall is the kind of the errors of EGL calls.
const ErrCall fault.Kind = "an EGL call failed"

// ErrExtension is the kind of the errors about extensions that a display or the client library lacks, and a context without window
// and config needs.
const ErrExtension fault.Kind = "an EGL extension is missing"

// The error codes of EGL 1.5, section 3.1, and EGL_EXT_device_base.
var codeNames = map[uint32]string{
	0x3000: "EGL_SUCCESS", 0x3001: "EGL_NOT_INITIALIZED", 0x3002: "EGL_BAD_ACCESS",
	0x3003: "EGL_BAD_ALLOC", 0x3004: "EGL_BAD_ATTRIBUTE", 0x3005: "EGL_BAD_CONFIG",
	0x3006: "EGL_BAD_CONTEXT", 0x3007: "EGL_BAD_CURRENT_SURFACE", 0x3008: "EGL_BAD_DISPLAY",
	0x3009: "EGL_BAD_MATCH", 0x300A: "EGL_BAD_NATIVE_PIXMAP", 0x300B: "EGL_BAD_NATIVE_WINDOW",
	0x300C: "EGL_BAD_PARAMETER", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST",
	0x322B: "EGL_BAD_DEVICE_EXT",
}

// callError says which call failed, and what eglGetError returned: EGL_SUCCESS where the call failed without setting a code.
func callError(call string, code uint32) error {
	name, ok := codeNames[code]
	if !ok {
		name = fmt.Sprintf("error 0x%04x", code)
	}
	return &fault.Error{Kind: ErrCall, Op: call, Detail: name}
}
