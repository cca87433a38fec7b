//go:build cgo && egl

package main

// openGLBuilt tells whether this program contains the OpenGL backend.
const openGLBuilt = true
