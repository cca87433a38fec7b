// Package window owns the context behind a GLFW 3.4 window, for machines where OpenGL can only be had
// through the running display. It builds with the tags egl and glfw only. Everything else of OpenGL
// is the same as with a context of package egl.
package window
