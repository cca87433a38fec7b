// Package core owns the entry points of OpenGL that package glapi calls, by the names that OpenGL gives them, and their constants.
//
// github.com/go-gl/gl binds all of OpenGL, which takes 45 s of a processor to compile: for each of its thousand functions cgo has
// gcc report an unknown name, and gcc looks for a similar one among all others.
package core
