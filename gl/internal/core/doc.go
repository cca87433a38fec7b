// Package core calls the OpenGL functions that package glapi uses. It is a selection of github.com/go-gl/gl, under that
// module's license (LICENSE); a function or constant that glapi names for the first time is added by go generate.
package core

//go:generate go run ./gen core.go ../glapi
