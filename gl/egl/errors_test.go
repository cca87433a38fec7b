package egl

import "testing"

// TestErrorsNameTheCallAndTheCode covers known and unknown codes.
func TestErrorsNameTheCallAndTheCode(t *testing.T) {
	for want, e := range map[string]error{
		"eglInitialize: EGL_NOT_INITIALIZED":       &Error{Call: "eglInitialize", Code: 0x3001},
		"eglInitialize: error 0x9999":              &Error{Call: "eglInitialize", Code: 0x9999},
		"Mesa 1.4 lacks EGL_KHR_no_config_context": &MissingExtensionError{Extension: "EGL_KHR_no_config_context", On: "Mesa 1.4"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
