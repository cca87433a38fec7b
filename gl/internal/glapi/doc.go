// Package glapi owns the OpenGL 4.5 core calls that the backend needs, each behind a small typed
// wrapper, and the one place where glGetError is read. All calls must run on the thread where the
// context is current. It is generated from nothing: a call is added here when the backend needs it.
package glapi
