//go:build cgo && egl

package egl

/*
#cgo pkg-config: egl
#include <EGL/egl.h>
#include <EGL/eglext.h>

// The extension entry points are looked up at each call: they run a few times per process, and a
// caller asks only after it has seen the extension's name, because eglGetProcAddress returns
// non-null stubs for names that it does not know.
static EGLBoolean vt_query_devices(EGLint max, EGLDeviceEXT *out, EGLint *n) {
	PFNEGLQUERYDEVICESEXTPROC f = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
	return f ? f(max, out, n) : EGL_FALSE;
}
static const char *vt_device_string(EGLDeviceEXT d, EGLint name) {
	PFNEGLQUERYDEVICESTRINGEXTPROC f = (PFNEGLQUERYDEVICESTRINGEXTPROC)eglGetProcAddress("eglQueryDeviceStringEXT");
	return f ? f(d, name) : 0;
}
static EGLDeviceEXT vt_display_device(EGLDisplay d) {
	PFNEGLQUERYDISPLAYATTRIBEXTPROC f = (PFNEGLQUERYDISPLAYATTRIBEXTPROC)eglGetProcAddress("eglQueryDisplayAttribEXT");
	EGLAttrib v = 0;
	return f && f(d, EGL_DEVICE_EXT, &v) ? (EGLDeviceEXT)v : EGL_NO_DEVICE_EXT;
}
*/
import "C"

import (
	"runtime"
	"slices"
	"strings"
)

// Platform is a way to get an EGL display without a window system.
type Platform string

// The platforms, best first.
const (
	PlatformDevice      Platform = "device"      // EGL_EXT_platform_device: one chosen device
	PlatformSurfaceless Platform = "surfaceless" // EGL_MESA_platform_surfaceless: Mesa's choice
	PlatformDefault     Platform = "default"     // EGL_DEFAULT_DISPLAY: whatever the library picks
)

// Device is something a display can be opened on. A zero handle stands for a platform's own choice.
type Device struct {
	Platform   Platform
	Name       string   // EGL_RENDERER_EXT where the device tells it
	DRMNode    string   // e.g. "/dev/dri/card0", where there is one
	RenderNode string   // e.g. "/dev/dri/renderD128", where there is one
	Extensions []string // of the device; empty for PlatformSurfaceless and PlatformDefault
	handle     C.EGLDeviceEXT
}

// Software reports whether the device says that it has no hardware (EGL_MESA_device_software).
func (d Device) Software() bool { return slices.Contains(d.Extensions, "EGL_MESA_device_software") }

// maxDevices bounds the enumeration; a host has at most a few dozen devices.
const maxDevices = 64

// Devices lists the EGL devices in the library's order, then the platforms without a device that
// open a display on none of them.
func Devices() []Device {
	runtime.LockOSThread() // EGL keeps its error code per thread
	defer runtime.UnlockOSThread()
	client := clientExtensions()
	var out []Device
	if slices.Contains(client, "EGL_EXT_device_enumeration") || slices.Contains(client, "EGL_EXT_device_base") {
		out = enumerate()
	}
	fallbacks := []Device{{Platform: PlatformDefault}}
	if slices.Contains(client, "EGL_MESA_platform_surfaceless") {
		fallbacks = []Device{{Platform: PlatformSurfaceless}, {Platform: PlatformDefault}}
	}
	known := len(out)
	for _, f := range fallbacks {
		if !leadsTo(f, out[:known]) {
			out = append(out, f)
		}
	}
	return out
}

// leadsTo reports whether a platform's own choice is one of the devices, or none at all although
// there are devices.
func leadsTo(platform Device, devices []Device) bool {
	if len(devices) == 0 {
		return false
	}
	dpy, err := acquire(platform)
	if err != nil {
		return true
	}
	defer dpy.release()
	h := C.vt_display_device(dpy.handle)
	return slices.ContainsFunc(devices, func(d Device) bool { return d.handle == h })
}

func enumerate() []Device {
	var handles [maxDevices]C.EGLDeviceEXT
	var n C.EGLint
	if C.vt_query_devices(maxDevices, &handles[0], &n) == C.EGL_FALSE {
		return nil
	}
	out := make([]Device, 0, n)
	for _, h := range handles[:n] {
		out = append(out, describe(h))
	}
	return out
}

func describe(h C.EGLDeviceEXT) Device {
	d := Device{Platform: PlatformDevice, handle: h}
	d.Extensions = strings.Fields(deviceString(h, C.EGL_EXTENSIONS))
	if slices.Contains(d.Extensions, "EGL_EXT_device_drm") {
		d.DRMNode = deviceString(h, C.EGL_DRM_DEVICE_FILE_EXT)
	}
	if slices.Contains(d.Extensions, "EGL_EXT_device_drm_render_node") {
		d.RenderNode = deviceString(h, C.EGL_DRM_RENDER_NODE_FILE_EXT)
	}
	if slices.Contains(d.Extensions, "EGL_EXT_device_query_name") {
		d.Name = deviceString(h, C.EGL_RENDERER_EXT)
	}
	return d
}

func deviceString(h C.EGLDeviceEXT, name C.EGLint) string {
	s := C.vt_device_string(h, name)
	if s == nil {
		C.eglGetError() // clears the error, so that the next call's is its own
		return ""
	}
	return C.GoString(s)
}

func clientExtensions() []string {
	s := C.eglQueryString(C.EGLDisplay(C.EGL_NO_DISPLAY), C.EGL_EXTENSIONS)
	if s == nil {
		C.eglGetError()
		return nil
	}
	return strings.Fields(C.GoString(s))
}
