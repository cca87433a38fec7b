//go:build cgo && egl

package egl

/*
#include <EGL/egl.h>
#include <EGL/eglext.h>
*/
import "C"

import (
	"slices"
	"sync"
	"unsafe"

	"vyretop/engine/fault"
)

// display is one initialized EGLDisplay. EGL hands out the same display for the same device and
// does not count eglInitialize calls (EGL 1.5, section 3.2), so the first eglTerminate would take it
// from every other context in the process: we count the users ourselves.
type display struct {
	handle     C.EGLDisplay
	vendor     string
	extensions []string
	users      int // guarded by displays.Mutex
}

var displays = struct {
	sync.Mutex
	open map[C.EGLDisplay]*display
}{open: map[C.EGLDisplay]*display{}}

func acquire(d Device) (*display, error) {
	displays.Lock()
	defer displays.Unlock()
	h := getDisplay(d)
	if h == C.EGLDisplay(C.EGL_NO_DISPLAY) {
		return nil, lastError("eglGetPlatformDisplay")
	}
	if dpy, ok := displays.open[h]; ok {
		dpy.users++
		return dpy, nil
	}
	var major, minor C.EGLint
	if C.eglInitialize(h, &major, &minor) == C.EGL_FALSE {
		return nil, lastError("eglInitialize")
	}
	dpy := &display{
		handle:     h,
		vendor:     C.GoString(C.eglQueryString(h, C.EGL_VENDOR)) + " " + C.GoString(C.eglQueryString(h, C.EGL_VERSION)),
		extensions: fields(C.eglQueryString(h, C.EGL_EXTENSIONS)),
		users:      1,
	}
	displays.open[h] = dpy
	return dpy, nil
}

func getDisplay(d Device) C.EGLDisplay {
	switch d.Platform {
	case PlatformDevice:
		return C.eglGetPlatformDisplay(C.EGL_PLATFORM_DEVICE_EXT, unsafe.Pointer(d.handle), nil)
	case PlatformSurfaceless:
		return C.eglGetPlatformDisplay(C.EGL_PLATFORM_SURFACELESS_MESA, nil, nil)
	default:
		return C.eglGetDisplay(C.EGLNativeDisplayType(C.EGL_DEFAULT_DISPLAY))
	}
}

func (d *display) require(names ...string) error {
	for _, n := range names {
		if !slices.Contains(d.extensions, n) {
			return &fault.Error{Kind: ErrExtension, Detail: d.vendor + " lacks " + n}
		}
	}
	return nil
}

func (d *display) release() {
	displays.Lock()
	defer displays.Unlock()
	if d.users--; d.users == 0 {
		delete(displays.open, d.handle)
		C.eglTerminate(d.handle)
	}
}
