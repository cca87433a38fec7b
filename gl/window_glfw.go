//go:build cgo && egl && glfw

package gl

import "vyretop/gl/internal/window"

// openWindow makes a window's context current and checks its version, on the owner's thread.
func openWindow(debug bool) (surface, error) {
	w, err := window.Open(debug)
	if err != nil {
		e := unsupported("open a window", "OpenGL 4.5", "", "start it on a running display (DISPLAY or WAYLAND_DISPLAY), one window at a time, or use the egl context")
		e.Err = err
		return nil, e
	}
	return checked(w, nil)
}
