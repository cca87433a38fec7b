// Package egl owns the foreign calls that make an OpenGL context without a display: it finds the
// EGL devices of the machine and creates surfaceless, config-less desktop OpenGL 4.5 core contexts
// on them (EGL 1.5, EGL_EXT_device_enumeration, EGL_EXT_platform_device,
// EGL_MESA_platform_surfaceless, EGL_KHR_no_config_context, EGL_KHR_surfaceless_context).
//
// It is one of the two places in the project with cgo, and builds with the tag egl only. It knows
// nothing of shaders or buffers.
package egl
