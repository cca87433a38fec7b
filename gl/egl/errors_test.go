package egl

import "testing"

// TestErrorsNameTheCallAndTheCode covers known and unknown codes.
func TestErrorsNameTheCallAndTheCode(t *testing.T) {
	for want, e := range map[string]error{
		"eglInitialize: EGL_NOT_INITIALIZED": callError("eglInitialize", 0x3001),
		"eglInitialize: error 0x9999":        callError("eglInitialize", 0x9999),
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
