package egl

import "fmt"

// Error is a failed EGL call.
type Error struct {
	Call string // the entry point, e.g. "eglInitialize"
	Code uint32 // what eglGetError returned; EGL_SUCCESS where the call failed without setting one
}

// The error codes of EGL 1.5, section 3.1, and EGL_EXT_device_base.
var codeNames = map[uint32]string{
	0x3000: "EGL_SUCCESS", 0x3001: "EGL_NOT_INITIALIZED", 0x3002: "EGL_BAD_ACCESS",
	0x3003: "EGL_BAD_ALLOC", 0x3004: "EGL_BAD_ATTRIBUTE", 0x3005: "EGL_BAD_CONFIG",
	0x3006: "EGL_BAD_CONTEXT", 0x3007: "EGL_BAD_CURRENT_SURFACE", 0x3008: "EGL_BAD_DISPLAY",
	0x3009: "EGL_BAD_MATCH", 0x300A: "EGL_BAD_NATIVE_PIXMAP", 0x300B: "EGL_BAD_NATIVE_WINDOW",
	0x300C: "EGL_BAD_PARAMETER", 0x300D: "EGL_BAD_SURFACE", 0x300E: "EGL_CONTEXT_LOST",
	0x322B: "EGL_BAD_DEVICE_EXT",
}

// Error renders "eglInitialize: EGL_NOT_INITIALIZED".
func (e *Error) Error() string {
	if name, ok := codeNames[e.Code]; ok {
		return e.Call + ": " + name
	}
	return fmt.Sprintf("%s: error 0x%04x", e.Call, e.Code)
}

// MissingExtensionError says that a display or the client library lacks an extension that a
// context without window and config needs.
type MissingExtensionError struct {
	Extension string
	On        string // what lacks it: "client", or the display's vendor and version
}

// Error renders "Mesa Project 1.4 lacks EGL_KHR_no_config_context".
func (e *MissingExtensionError) Error() string { return e.On + " lacks " + e.Extension }
