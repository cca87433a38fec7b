//go:build cgo && egl && glfw

package window

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/go-gl/glfw/v3.4/glfw"
)

// ErrBusy is returned while another window of this process is open: GLFW's state is global, and
// belongs to the thread that initialized it.
var ErrBusy = errors.New("a window is open already")

var busy atomic.Bool

// Window is a hidden window with a current context.
type Window struct{ handle *glfw.Window }

// Open initializes GLFW on the calling OS thread, which the caller must have locked, and makes the
// context of a new hidden window current there.
func Open(debug bool) (w *Window, err error) {
	if !busy.CompareAndSwap(false, true) {
		return nil, ErrBusy
	}
	defer func() {
		if err != nil {
			busy.Store(false)
		}
	}()
	if err := safely("glfwInit", glfw.Init); err != nil {
		return nil, err
	}
	w = &Window{}
	err = safely("glfwCreateWindow", func() error {
		hint(debug)
		var err error
		w.handle, err = glfw.CreateWindow(64, 64, "vyretop", nil, nil)
		if err == nil && w.handle == nil {
			err = errors.New("the platform refused, without saying why")
		}
		if err == nil {
			w.handle.MakeContextCurrent()
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, safely("glfwTerminate", func() error { glfw.Terminate(); return nil }))
	}
	return w, nil
}

// hint asks for the same context as package egl makes, through EGL too, so that one loader resolves
// the entry points of both.
func hint(debug bool) {
	glfw.DefaultWindowHints()
	glfw.WindowHint(glfw.Visible, glfw.False)
	glfw.WindowHint(glfw.ContextCreationAPI, glfw.EGLContextAPI)
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 5)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	if debug {
		glfw.WindowHint(glfw.OpenGLDebugContext, glfw.True)
	}
}

// Current reports whether the window's context is current on the calling thread.
func (w *Window) Current() bool { return glfw.GetCurrentContext() == w.handle }

// Close destroys the window and ends GLFW, on the thread that opened it.
func (w *Window) Close() error {
	defer busy.Store(false)
	return safely("glfwTerminate", func() error {
		glfw.DetachCurrentContext()
		w.handle.Destroy()
		glfw.Terminate()
		return nil
	})
}

// safely turns the panics of the bindings, which they raise for every error they do not list, into
// errors. A platform's error they only print; what follows then fails.
func safely(call string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			cause, ok := v.(error)
			if !ok {
				cause = fmt.Errorf("%v", v)
			}
			err = fmt.Errorf("%s: %w", call, cause)
		}
	}()
	if err := f(); err != nil {
		return fmt.Errorf("%s: %w", call, err)
	}
	return nil
}
