//go:build cgo && egl

package core

import (
	"errors"
	"unsafe"
)

// The entry points, as the driver gave them to Load.
var (
	attachShader                unsafe.Pointer
	beginQuery                  unsafe.Pointer
	bindBuffer                  unsafe.Pointer
	bindBufferBase              unsafe.Pointer
	clearNamedBufferData        unsafe.Pointer
	clientWaitSync              unsafe.Pointer
	compileShader               unsafe.Pointer
	copyNamedBufferSubData      unsafe.Pointer
	createBuffers               unsafe.Pointer
	createProgram               unsafe.Pointer
	createShader                unsafe.Pointer
	debugMessageControl         unsafe.Pointer
	deleteBuffers               unsafe.Pointer
	deleteProgram               unsafe.Pointer
	deleteQueries               unsafe.Pointer
	deleteShader                unsafe.Pointer
	deleteSync                  unsafe.Pointer
	detachShader                unsafe.Pointer
	dispatchCompute             unsafe.Pointer
	dispatchComputeIndirect     unsafe.Pointer
	enable                      unsafe.Pointer
	endQuery                    unsafe.Pointer
	fenceSync                   unsafe.Pointer
	finish                      unsafe.Pointer
	genQueries                  unsafe.Pointer
	getDebugMessageLog          unsafe.Pointer
	getError                    unsafe.Pointer
	getGraphicsResetStatus      unsafe.Pointer
	getInteger64i_v             unsafe.Pointer
	getInteger64v               unsafe.Pointer
	getIntegerv                 unsafe.Pointer
	getProgramBinary            unsafe.Pointer
	getProgramInfoLog           unsafe.Pointer
	getProgramInterfaceiv       unsafe.Pointer
	getProgramResourceName      unsafe.Pointer
	getProgramResourceiv        unsafe.Pointer
	getProgramiv                unsafe.Pointer
	getQueryObjectui64v         unsafe.Pointer
	getQueryiv                  unsafe.Pointer
	getShaderInfoLog            unsafe.Pointer
	getShaderiv                 unsafe.Pointer
	getString                   unsafe.Pointer
	getStringi                  unsafe.Pointer
	linkProgram                 unsafe.Pointer
	mapNamedBufferRange         unsafe.Pointer
	maxShaderCompilerThreadsARB unsafe.Pointer
	maxShaderCompilerThreadsKHR unsafe.Pointer
	memoryBarrier               unsafe.Pointer
	namedBufferStorage          unsafe.Pointer
	objectLabel                 unsafe.Pointer
	popDebugGroup               unsafe.Pointer
	programBinary               unsafe.Pointer
	programParameteri           unsafe.Pointer
	pushDebugGroup              unsafe.Pointer
	shaderSource                unsafe.Pointer
	uniformSubroutinesuiv       unsafe.Pointer
	useProgram                  unsafe.Pointer
)

// entries are the entry points by name; those that extensions add may be absent.
var entries = []struct {
	name  string
	entry *unsafe.Pointer
	extra bool
}{
	{"glAttachShader", &attachShader, false},
	{"glBeginQuery", &beginQuery, false},
	{"glBindBuffer", &bindBuffer, false},
	{"glBindBufferBase", &bindBufferBase, false},
	{"glClearNamedBufferData", &clearNamedBufferData, false},
	{"glClientWaitSync", &clientWaitSync, false},
	{"glCompileShader", &compileShader, false},
	{"glCopyNamedBufferSubData", &copyNamedBufferSubData, false},
	{"glCreateBuffers", &createBuffers, false},
	{"glCreateProgram", &createProgram, false},
	{"glCreateShader", &createShader, false},
	{"glDebugMessageControl", &debugMessageControl, false},
	{"glDeleteBuffers", &deleteBuffers, false},
	{"glDeleteProgram", &deleteProgram, false},
	{"glDeleteQueries", &deleteQueries, false},
	{"glDeleteShader", &deleteShader, false},
	{"glDeleteSync", &deleteSync, false},
	{"glDetachShader", &detachShader, false},
	{"glDispatchCompute", &dispatchCompute, false},
	{"glDispatchComputeIndirect", &dispatchComputeIndirect, false},
	{"glEnable", &enable, false},
	{"glEndQuery", &endQuery, false},
	{"glFenceSync", &fenceSync, false},
	{"glFinish", &finish, false},
	{"glGenQueries", &genQueries, false},
	{"glGetDebugMessageLog", &getDebugMessageLog, false},
	{"glGetError", &getError, false},
	{"glGetGraphicsResetStatus", &getGraphicsResetStatus, false},
	{"glGetInteger64i_v", &getInteger64i_v, false},
	{"glGetInteger64v", &getInteger64v, false},
	{"glGetIntegerv", &getIntegerv, false},
	{"glGetProgramBinary", &getProgramBinary, false},
	{"glGetProgramInfoLog", &getProgramInfoLog, false},
	{"glGetProgramInterfaceiv", &getProgramInterfaceiv, false},
	{"glGetProgramResourceName", &getProgramResourceName, false},
	{"glGetProgramResourceiv", &getProgramResourceiv, false},
	{"glGetProgramiv", &getProgramiv, false},
	{"glGetQueryObjectui64v", &getQueryObjectui64v, false},
	{"glGetQueryiv", &getQueryiv, false},
	{"glGetShaderInfoLog", &getShaderInfoLog, false},
	{"glGetShaderiv", &getShaderiv, false},
	{"glGetString", &getString, false},
	{"glGetStringi", &getStringi, false},
	{"glLinkProgram", &linkProgram, false},
	{"glMapNamedBufferRange", &mapNamedBufferRange, false},
	{"glMaxShaderCompilerThreadsARB", &maxShaderCompilerThreadsARB, true},
	{"glMaxShaderCompilerThreadsKHR", &maxShaderCompilerThreadsKHR, true},
	{"glMemoryBarrier", &memoryBarrier, false},
	{"glNamedBufferStorage", &namedBufferStorage, false},
	{"glObjectLabel", &objectLabel, false},
	{"glPopDebugGroup", &popDebugGroup, false},
	{"glProgramBinary", &programBinary, false},
	{"glProgramParameteri", &programParameteri, false},
	{"glPushDebugGroup", &pushDebugGroup, false},
	{"glShaderSource", &shaderSource, false},
	{"glUniformSubroutinesuiv", &uniformSubroutinesuiv, false},
	{"glUseProgram", &useProgram, false},
}

// Load asks lookup for every entry point. The error is the name of the first one that is missing.
func Load(lookup func(name string) unsafe.Pointer) error {
	for _, e := range entries {
		*e.entry = lookup(e.name)
		if *e.entry == nil && !e.extra {
			return errors.New(e.name)
		}
	}
	return nil
}
