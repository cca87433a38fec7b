//go:build cgo && egl

package egl

/*
#include <stdlib.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>

static void *vt_proc(const char *name) { return (void *)eglGetProcAddress(name); }
*/
import "C"

import (
	"strings"
	"unsafe"
)

// Config is what a caller wants of a context.
type Config struct {
	Debug      bool // a debug context: the driver reports more, and slower
	AnyVersion bool // whatever version there is, to tell what was found where 4.5 is not
}

// Context is a desktop OpenGL context without a surface. Close must run on the thread
// that opened it.
type Context struct {
	display *display
	handle  C.EGLContext
}

// Open creates a context on d and makes it current on the calling OS thread, which the caller must
// have locked. The error is of the kind ErrCall or ErrExtension.
func Open(d Device, cfg Config) (*Context, error) {
	dpy, err := acquire(d)
	if err != nil {
		return nil, err
	}
	c, err := create(dpy, cfg)
	if err != nil {
		dpy.release()
		return nil, err
	}
	if C.eglMakeCurrent(dpy.handle, C.EGLSurface(C.EGL_NO_SURFACE), C.EGLSurface(C.EGL_NO_SURFACE), c.handle) == C.EGL_FALSE {
		err := lastError("eglMakeCurrent")
		C.eglDestroyContext(dpy.handle, c.handle)
		dpy.release()
		return nil, err
	}
	return c, nil
}

// create tries the safest context first: one whose out-of-range buffer accesses are harmless and
// that reports GPU resets, then one that only reports resets, then a plain one.
func create(dpy *display, cfg Config) (*Context, error) {
	if err := dpy.require("EGL_KHR_no_config_context", "EGL_KHR_surfaceless_context"); err != nil {
		return nil, err
	}
	if C.eglBindAPI(C.EGL_OPENGL_API) == C.EGL_FALSE {
		return nil, lastError("eglBindAPI")
	}
	reset := []C.EGLint{C.EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, C.EGL_LOSE_CONTEXT_ON_RESET}
	robust := append([]C.EGLint{C.EGL_CONTEXT_OPENGL_ROBUST_ACCESS, C.EGL_TRUE}, reset...)
	var err error
	for _, extra := range [][]C.EGLint{robust, reset, nil} {
		attribs := append(baseAttribs(cfg), extra...)
		attribs = append(attribs, C.EGL_NONE)
		h := C.eglCreateContext(dpy.handle, C.EGLConfig(C.EGL_NO_CONFIG_KHR), C.EGLContext(C.EGL_NO_CONTEXT), &attribs[0])
		if h != C.EGLContext(C.EGL_NO_CONTEXT) {
			return &Context{display: dpy, handle: h}, nil
		}
		err = lastError("eglCreateContext")
	}
	return nil, err
}

func baseAttribs(cfg Config) []C.EGLint {
	if cfg.AnyVersion {
		return nil
	}
	a := []C.EGLint{
		C.EGL_CONTEXT_MAJOR_VERSION, 4, C.EGL_CONTEXT_MINOR_VERSION, 5,
		C.EGL_CONTEXT_OPENGL_PROFILE_MASK, C.EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
	}
	if cfg.Debug {
		a = append(a, C.EGL_CONTEXT_OPENGL_DEBUG, C.EGL_TRUE)
	}
	return a
}

// Current reports whether the context is current on the calling thread.
func (c *Context) Current() bool { return C.eglGetCurrentContext() == c.handle }

// Kill takes the context from its thread and destroys it, as a driver may do to one that misbehaves: fault
// drills use it. Close is still to be called, and reports the context that it does not find.
func (c *Context) Kill() error {
	if C.eglMakeCurrent(c.display.handle, C.EGLSurface(C.EGL_NO_SURFACE), C.EGLSurface(C.EGL_NO_SURFACE), C.EGLContext(C.EGL_NO_CONTEXT)) == C.EGL_FALSE {
		return lastError("eglMakeCurrent")
	}
	if C.eglDestroyContext(c.display.handle, c.handle) == C.EGL_FALSE {
		return lastError("eglDestroyContext")
	}
	return nil
}

// Close makes no context current on the calling thread and destroys this one.
func (c *Context) Close() error {
	var err error
	if C.eglMakeCurrent(c.display.handle, C.EGLSurface(C.EGL_NO_SURFACE), C.EGLSurface(C.EGL_NO_SURFACE), C.EGLContext(C.EGL_NO_CONTEXT)) == C.EGL_FALSE {
		err = lastError("eglMakeCurrent")
	}
	if C.eglDestroyContext(c.display.handle, c.handle) == C.EGL_FALSE && err == nil {
		err = lastError("eglDestroyContext")
	}
	c.display.release()
	C.eglReleaseThread()
	return err
}

// ProcAddress resolves an OpenGL or EGL entry point. It returns a non-nil stub for unknown names:
// check versions and extension strings before calling what it returns.
func ProcAddress(name string) unsafe.Pointer {
	s := C.CString(name)
	defer C.free(unsafe.Pointer(s))
	return C.vt_proc(s)
}

func lastError(call string) error { return callError(call, uint32(C.eglGetError())) }

func fields(s *C.char) []string { return strings.Fields(C.GoString(s)) }
