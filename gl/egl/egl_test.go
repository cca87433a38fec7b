//go:build cgo && egl

package egl

import (
	"errors"
	"runtime"
	"testing"
)

// TestDisplaysAreShared opens every device twice and closes in both orders: the display must live as
// long as its last user, and no longer.
func TestDisplaysAreShared(t *testing.T) {
	for _, d := range Devices() {
		first, err := acquire(d)
		if err != nil {
			t.Logf("%s: %v", d.Platform, err)
			continue
		}
		second, err := acquire(d)
		if err != nil {
			t.Fatal(err)
		}
		if first != second || first.users != 2 {
			t.Errorf("%s: two displays, or %d users of one", d.Platform, first.users)
		}
		first.release()
		if len(displays.open) != 1 {
			t.Errorf("%s: closed under its second user", d.Platform)
		}
		second.release()
		if len(displays.open) != 0 {
			t.Errorf("%s: left open", d.Platform)
		}
	}
}

// TestMissingExtensionIsNamed asks a display for an extension that does not exist.
func TestMissingExtensionIsNamed(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dpy, err := acquire(Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	defer dpy.release()
	err = dpy.require("EGL_KHR_surfaceless_context", "EGL_VYRETOP_absent")
	if !errors.Is(err, ErrExtension) || err.Error() != dpy.vendor+" lacks EGL_VYRETOP_absent" {
		t.Errorf("got %v", err)
	}
}
