//go:build cgo && egl && !glfw

package gl

func openWindow(bool) (surface, error) {
	return nil, unsupported("open a window", "GLFW", "this program was built without windows",
		"build with the tags `egl glfw`, or use the egl context")
}
