//go:build cgo && egl

package core

/*
#include <stdint.h>

typedef unsigned int GLenum, GLuint, GLbitfield;
typedef int GLint, GLsizei;
typedef intptr_t GLintptr, GLsizeiptr;
typedef int64_t GLint64;
typedef uint64_t GLuint64;
typedef unsigned char GLboolean, GLubyte;
typedef char GLchar;
typedef uintptr_t GLsync;

// Go cannot call a pointer to a C function: each of these calls the one it is given.
static void callAttachShader(void *f, GLuint program, GLuint shader) { ((void (*)(GLuint, GLuint))f)(program, shader); }
static void callBeginQuery(void *f, GLenum target, GLuint id) { ((void (*)(GLenum, GLuint))f)(target, id); }
static void callBindBuffer(void *f, GLenum target, GLuint buffer) { ((void (*)(GLenum, GLuint))f)(target, buffer); }
static void callBindBufferBase(void *f, GLenum target, GLuint index, GLuint buffer) { ((void (*)(GLenum, GLuint, GLuint))f)(target, index, buffer); }
static void callClearNamedBufferData(void *f, GLuint buffer, GLenum internalformat, GLenum format, GLenum kind, const void *data) { ((void (*)(GLuint, GLenum, GLenum, GLenum, const void *))f)(buffer, internalformat, format, kind, data); }
static GLenum callClientWaitSync(void *f, GLsync sync, GLbitfield flags, GLuint64 timeout) { return ((GLenum (*)(GLsync, GLbitfield, GLuint64))f)(sync, flags, timeout); }
static void callCompileShader(void *f, GLuint shader) { ((void (*)(GLuint))f)(shader); }
static void callCopyNamedBufferSubData(void *f, GLuint readBuffer, GLuint writeBuffer, GLintptr readOffset, GLintptr writeOffset, GLsizeiptr size) { ((void (*)(GLuint, GLuint, GLintptr, GLintptr, GLsizeiptr))f)(readBuffer, writeBuffer, readOffset, writeOffset, size); }
static void callCreateBuffers(void *f, GLsizei n, GLuint *buffers) { ((void (*)(GLsizei, GLuint *))f)(n, buffers); }
static GLuint callCreateProgram(void *f) { return ((GLuint (*)(void))f)(); }
static GLuint callCreateShader(void *f, GLenum kind) { return ((GLuint (*)(GLenum))f)(kind); }
static void callDebugMessageControl(void *f, GLenum source, GLenum kind, GLenum severity, GLsizei count, const GLuint *ids, GLboolean enabled) { ((void (*)(GLenum, GLenum, GLenum, GLsizei, const GLuint *, GLboolean))f)(source, kind, severity, count, ids, enabled); }
static void callDeleteBuffers(void *f, GLsizei n, const GLuint *buffers) { ((void (*)(GLsizei, const GLuint *))f)(n, buffers); }
static void callDeleteProgram(void *f, GLuint program) { ((void (*)(GLuint))f)(program); }
static void callDeleteQueries(void *f, GLsizei n, const GLuint *ids) { ((void (*)(GLsizei, const GLuint *))f)(n, ids); }
static void callDeleteShader(void *f, GLuint shader) { ((void (*)(GLuint))f)(shader); }
static void callDeleteSync(void *f, GLsync sync) { ((void (*)(GLsync))f)(sync); }
static void callDetachShader(void *f, GLuint program, GLuint shader) { ((void (*)(GLuint, GLuint))f)(program, shader); }
static void callDispatchCompute(void *f, GLuint num_groups_x, GLuint num_groups_y, GLuint num_groups_z) { ((void (*)(GLuint, GLuint, GLuint))f)(num_groups_x, num_groups_y, num_groups_z); }
static void callDispatchComputeIndirect(void *f, GLintptr indirect) { ((void (*)(GLintptr))f)(indirect); }
static void callEnable(void *f, GLenum cap) { ((void (*)(GLenum))f)(cap); }
static void callEndQuery(void *f, GLenum target) { ((void (*)(GLenum))f)(target); }
static GLsync callFenceSync(void *f, GLenum condition, GLbitfield flags) { return ((GLsync (*)(GLenum, GLbitfield))f)(condition, flags); }
static void callFinish(void *f) { ((void (*)(void))f)(); }
static void callGenQueries(void *f, GLsizei n, GLuint *ids) { ((void (*)(GLsizei, GLuint *))f)(n, ids); }
static GLuint callGetDebugMessageLog(void *f, GLuint count, GLsizei bufSize, GLenum *sources, GLenum *types, GLuint *ids, GLenum *severities, GLsizei *lengths, GLchar *messageLog) { return ((GLuint (*)(GLuint, GLsizei, GLenum *, GLenum *, GLuint *, GLenum *, GLsizei *, GLchar *))f)(count, bufSize, sources, types, ids, severities, lengths, messageLog); }
static GLenum callGetError(void *f) { return ((GLenum (*)(void))f)(); }
static GLenum callGetGraphicsResetStatus(void *f) { return ((GLenum (*)(void))f)(); }
static void callGetInteger64i_v(void *f, GLenum target, GLuint index, GLint64 *data) { ((void (*)(GLenum, GLuint, GLint64 *))f)(target, index, data); }
static void callGetInteger64v(void *f, GLenum pname, GLint64 *data) { ((void (*)(GLenum, GLint64 *))f)(pname, data); }
static void callGetIntegerv(void *f, GLenum pname, GLint *data) { ((void (*)(GLenum, GLint *))f)(pname, data); }
static void callGetProgramBinary(void *f, GLuint program, GLsizei bufSize, GLsizei *length, GLenum *binaryFormat, void *binary) { ((void (*)(GLuint, GLsizei, GLsizei *, GLenum *, void *))f)(program, bufSize, length, binaryFormat, binary); }
static void callGetProgramInfoLog(void *f, GLuint program, GLsizei bufSize, GLsizei *length, GLchar *infoLog) { ((void (*)(GLuint, GLsizei, GLsizei *, GLchar *))f)(program, bufSize, length, infoLog); }
static void callGetProgramInterfaceiv(void *f, GLuint program, GLenum programInterface, GLenum pname, GLint *params) { ((void (*)(GLuint, GLenum, GLenum, GLint *))f)(program, programInterface, pname, params); }
static void callGetProgramResourceName(void *f, GLuint program, GLenum programInterface, GLuint index, GLsizei bufSize, GLsizei *length, GLchar *name) { ((void (*)(GLuint, GLenum, GLuint, GLsizei, GLsizei *, GLchar *))f)(program, programInterface, index, bufSize, length, name); }
static void callGetProgramResourceiv(void *f, GLuint program, GLenum programInterface, GLuint index, GLsizei propCount, const GLenum *props, GLsizei count, GLsizei *length, GLint *params) { ((void (*)(GLuint, GLenum, GLuint, GLsizei, const GLenum *, GLsizei, GLsizei *, GLint *))f)(program, programInterface, index, propCount, props, count, length, params); }
static void callGetProgramiv(void *f, GLuint program, GLenum pname, GLint *params) { ((void (*)(GLuint, GLenum, GLint *))f)(program, pname, params); }
static void callGetQueryObjectui64v(void *f, GLuint id, GLenum pname, GLuint64 *params) { ((void (*)(GLuint, GLenum, GLuint64 *))f)(id, pname, params); }
static void callGetQueryiv(void *f, GLenum target, GLenum pname, GLint *params) { ((void (*)(GLenum, GLenum, GLint *))f)(target, pname, params); }
static void callGetShaderInfoLog(void *f, GLuint shader, GLsizei bufSize, GLsizei *length, GLchar *infoLog) { ((void (*)(GLuint, GLsizei, GLsizei *, GLchar *))f)(shader, bufSize, length, infoLog); }
static void callGetShaderiv(void *f, GLuint shader, GLenum pname, GLint *params) { ((void (*)(GLuint, GLenum, GLint *))f)(shader, pname, params); }
static const GLubyte *callGetString(void *f, GLenum name) { return ((const GLubyte * (*)(GLenum))f)(name); }
static const GLubyte *callGetStringi(void *f, GLenum name, GLuint index) { return ((const GLubyte * (*)(GLenum, GLuint))f)(name, index); }
static void callLinkProgram(void *f, GLuint program) { ((void (*)(GLuint))f)(program); }
static void *callMapNamedBufferRange(void *f, GLuint buffer, GLintptr offset, GLsizeiptr length, GLbitfield access) { return ((void * (*)(GLuint, GLintptr, GLsizeiptr, GLbitfield))f)(buffer, offset, length, access); }
static void callMaxShaderCompilerThreadsARB(void *f, GLuint count) { ((void (*)(GLuint))f)(count); }
static void callMaxShaderCompilerThreadsKHR(void *f, GLuint count) { ((void (*)(GLuint))f)(count); }
static void callMemoryBarrier(void *f, GLbitfield barriers) { ((void (*)(GLbitfield))f)(barriers); }
static void callNamedBufferStorage(void *f, GLuint buffer, GLsizeiptr size, const void *data, GLbitfield flags) { ((void (*)(GLuint, GLsizeiptr, const void *, GLbitfield))f)(buffer, size, data, flags); }
static void callObjectLabel(void *f, GLenum identifier, GLuint name, GLsizei length, const GLchar *label) { ((void (*)(GLenum, GLuint, GLsizei, const GLchar *))f)(identifier, name, length, label); }
static void callPopDebugGroup(void *f) { ((void (*)(void))f)(); }
static void callProgramBinary(void *f, GLuint program, GLenum binaryFormat, const void *binary, GLsizei length) { ((void (*)(GLuint, GLenum, const void *, GLsizei))f)(program, binaryFormat, binary, length); }
static void callProgramParameteri(void *f, GLuint program, GLenum pname, GLint value) { ((void (*)(GLuint, GLenum, GLint))f)(program, pname, value); }
static void callPushDebugGroup(void *f, GLenum source, GLuint id, GLsizei length, const GLchar *message) { ((void (*)(GLenum, GLuint, GLsizei, const GLchar *))f)(source, id, length, message); }
static void callShaderSource(void *f, GLuint shader, const GLchar *text, GLint length) { ((void (*)(GLuint, GLsizei, const GLchar *const *, const GLint *))f)(shader, 1, &text, &length); }
static void callUniformSubroutinesuiv(void *f, GLenum shadertype, GLsizei count, const GLuint *indices) { ((void (*)(GLenum, GLsizei, const GLuint *))f)(shadertype, count, indices); }
static void callUseProgram(void *f, GLuint program) { ((void (*)(GLuint))f)(program); }
*/
import "C"

import "unsafe"

// AttachShader calls glAttachShader.
func AttachShader(program, shader uint32) {
	C.callAttachShader(attachShader, C.GLuint(program), C.GLuint(shader))
}

// BeginQuery calls glBeginQuery.
func BeginQuery(target, id uint32) {
	C.callBeginQuery(beginQuery, C.GLenum(target), C.GLuint(id))
}

// BindBuffer calls glBindBuffer.
func BindBuffer(target, buffer uint32) {
	C.callBindBuffer(bindBuffer, C.GLenum(target), C.GLuint(buffer))
}

// BindBufferBase calls glBindBufferBase.
func BindBufferBase(target, index, buffer uint32) {
	C.callBindBufferBase(bindBufferBase, C.GLenum(target), C.GLuint(index), C.GLuint(buffer))
}

// ClearNamedBufferData calls glClearNamedBufferData.
func ClearNamedBufferData(buffer, internalformat, format, kind uint32, data unsafe.Pointer) {
	C.callClearNamedBufferData(clearNamedBufferData, C.GLuint(buffer), C.GLenum(internalformat), C.GLenum(format), C.GLenum(kind), data)
}

// ClientWaitSync calls glClientWaitSync.
func ClientWaitSync(sync uintptr, flags uint32, timeout uint64) uint32 {
	return uint32(C.callClientWaitSync(clientWaitSync, C.GLsync(sync), C.GLbitfield(flags), C.GLuint64(timeout)))
}

// CompileShader calls glCompileShader.
func CompileShader(shader uint32) {
	C.callCompileShader(compileShader, C.GLuint(shader))
}

// CopyNamedBufferSubData calls glCopyNamedBufferSubData.
func CopyNamedBufferSubData(readBuffer, writeBuffer uint32, readOffset, writeOffset, size int) {
	C.callCopyNamedBufferSubData(copyNamedBufferSubData, C.GLuint(readBuffer), C.GLuint(writeBuffer), C.GLintptr(readOffset), C.GLintptr(writeOffset), C.GLsizeiptr(size))
}

// CreateBuffers calls glCreateBuffers.
func CreateBuffers(n int32, buffers *uint32) {
	C.callCreateBuffers(createBuffers, C.GLsizei(n), (*C.GLuint)(unsafe.Pointer(buffers)))
}

// CreateProgram calls glCreateProgram.
func CreateProgram() uint32 {
	return uint32(C.callCreateProgram(createProgram))
}

// CreateShader calls glCreateShader.
func CreateShader(kind uint32) uint32 {
	return uint32(C.callCreateShader(createShader, C.GLenum(kind)))
}

// DebugMessageControl calls glDebugMessageControl.
func DebugMessageControl(source, kind, severity uint32, count int32, ids *uint32, enabled bool) {
	C.callDebugMessageControl(debugMessageControl, C.GLenum(source), C.GLenum(kind), C.GLenum(severity), C.GLsizei(count), (*C.GLuint)(unsafe.Pointer(ids)), boolean(enabled))
}

// DeleteBuffers calls glDeleteBuffers.
func DeleteBuffers(n int32, buffers *uint32) {
	C.callDeleteBuffers(deleteBuffers, C.GLsizei(n), (*C.GLuint)(unsafe.Pointer(buffers)))
}

// DeleteProgram calls glDeleteProgram.
func DeleteProgram(program uint32) {
	C.callDeleteProgram(deleteProgram, C.GLuint(program))
}

// DeleteQueries calls glDeleteQueries.
func DeleteQueries(n int32, ids *uint32) {
	C.callDeleteQueries(deleteQueries, C.GLsizei(n), (*C.GLuint)(unsafe.Pointer(ids)))
}

// DeleteShader calls glDeleteShader.
func DeleteShader(shader uint32) {
	C.callDeleteShader(deleteShader, C.GLuint(shader))
}

// DeleteSync calls glDeleteSync.
func DeleteSync(sync uintptr) {
	C.callDeleteSync(deleteSync, C.GLsync(sync))
}

// DetachShader calls glDetachShader.
func DetachShader(program, shader uint32) {
	C.callDetachShader(detachShader, C.GLuint(program), C.GLuint(shader))
}

// DispatchCompute calls glDispatchCompute.
func DispatchCompute(num_groups_x, num_groups_y, num_groups_z uint32) {
	C.callDispatchCompute(dispatchCompute, C.GLuint(num_groups_x), C.GLuint(num_groups_y), C.GLuint(num_groups_z))
}

// DispatchComputeIndirect calls glDispatchComputeIndirect.
func DispatchComputeIndirect(indirect int) {
	C.callDispatchComputeIndirect(dispatchComputeIndirect, C.GLintptr(indirect))
}

// Enable calls glEnable.
func Enable(cap uint32) {
	C.callEnable(enable, C.GLenum(cap))
}

// EndQuery calls glEndQuery.
func EndQuery(target uint32) {
	C.callEndQuery(endQuery, C.GLenum(target))
}

// FenceSync calls glFenceSync.
func FenceSync(condition, flags uint32) uintptr {
	return uintptr(C.callFenceSync(fenceSync, C.GLenum(condition), C.GLbitfield(flags)))
}

// Finish calls glFinish.
func Finish() {
	C.callFinish(finish)
}

// GenQueries calls glGenQueries.
func GenQueries(n int32, ids *uint32) {
	C.callGenQueries(genQueries, C.GLsizei(n), (*C.GLuint)(unsafe.Pointer(ids)))
}

// GetDebugMessageLog calls glGetDebugMessageLog.
func GetDebugMessageLog(count uint32, bufSize int32, sources, types, ids, severities *uint32, lengths *int32, messageLog *uint8) uint32 {
	return uint32(C.callGetDebugMessageLog(getDebugMessageLog, C.GLuint(count), C.GLsizei(bufSize), (*C.GLenum)(unsafe.Pointer(sources)), (*C.GLenum)(unsafe.Pointer(types)), (*C.GLuint)(unsafe.Pointer(ids)), (*C.GLenum)(unsafe.Pointer(severities)), (*C.GLsizei)(unsafe.Pointer(lengths)), (*C.GLchar)(unsafe.Pointer(messageLog))))
}

// GetError calls glGetError.
func GetError() uint32 {
	return uint32(C.callGetError(getError))
}

// GetGraphicsResetStatus calls glGetGraphicsResetStatus.
func GetGraphicsResetStatus() uint32 {
	return uint32(C.callGetGraphicsResetStatus(getGraphicsResetStatus))
}

// GetInteger64i_v calls glGetInteger64i_v.
func GetInteger64i_v(target, index uint32, data *int64) {
	C.callGetInteger64i_v(getInteger64i_v, C.GLenum(target), C.GLuint(index), (*C.GLint64)(unsafe.Pointer(data)))
}

// GetInteger64v calls glGetInteger64v.
func GetInteger64v(pname uint32, data *int64) {
	C.callGetInteger64v(getInteger64v, C.GLenum(pname), (*C.GLint64)(unsafe.Pointer(data)))
}

// GetIntegerv calls glGetIntegerv.
func GetIntegerv(pname uint32, data *int32) {
	C.callGetIntegerv(getIntegerv, C.GLenum(pname), (*C.GLint)(unsafe.Pointer(data)))
}

// GetProgramBinary calls glGetProgramBinary.
func GetProgramBinary(program uint32, bufSize int32, length *int32, binaryFormat *uint32, binary unsafe.Pointer) {
	C.callGetProgramBinary(getProgramBinary, C.GLuint(program), C.GLsizei(bufSize), (*C.GLsizei)(unsafe.Pointer(length)), (*C.GLenum)(unsafe.Pointer(binaryFormat)), binary)
}

// GetProgramInfoLog calls glGetProgramInfoLog.
func GetProgramInfoLog(program uint32, bufSize int32, length *int32, infoLog *uint8) {
	C.callGetProgramInfoLog(getProgramInfoLog, C.GLuint(program), C.GLsizei(bufSize), (*C.GLsizei)(unsafe.Pointer(length)), (*C.GLchar)(unsafe.Pointer(infoLog)))
}

// GetProgramInterfaceiv calls glGetProgramInterfaceiv.
func GetProgramInterfaceiv(program, programInterface, pname uint32, params *int32) {
	C.callGetProgramInterfaceiv(getProgramInterfaceiv, C.GLuint(program), C.GLenum(programInterface), C.GLenum(pname), (*C.GLint)(unsafe.Pointer(params)))
}

// GetProgramResourceName calls glGetProgramResourceName.
func GetProgramResourceName(program, programInterface, index uint32, bufSize int32, length *int32, name *uint8) {
	C.callGetProgramResourceName(getProgramResourceName, C.GLuint(program), C.GLenum(programInterface), C.GLuint(index), C.GLsizei(bufSize), (*C.GLsizei)(unsafe.Pointer(length)), (*C.GLchar)(unsafe.Pointer(name)))
}

// GetProgramResourceiv calls glGetProgramResourceiv.
func GetProgramResourceiv(program, programInterface, index uint32, propCount int32, props *uint32, count int32, length, params *int32) {
	C.callGetProgramResourceiv(getProgramResourceiv, C.GLuint(program), C.GLenum(programInterface), C.GLuint(index), C.GLsizei(propCount), (*C.GLenum)(unsafe.Pointer(props)), C.GLsizei(count), (*C.GLsizei)(unsafe.Pointer(length)), (*C.GLint)(unsafe.Pointer(params)))
}

// GetProgramiv calls glGetProgramiv.
func GetProgramiv(program, pname uint32, params *int32) {
	C.callGetProgramiv(getProgramiv, C.GLuint(program), C.GLenum(pname), (*C.GLint)(unsafe.Pointer(params)))
}

// GetQueryObjectui64v calls glGetQueryObjectui64v.
func GetQueryObjectui64v(id, pname uint32, params *uint64) {
	C.callGetQueryObjectui64v(getQueryObjectui64v, C.GLuint(id), C.GLenum(pname), (*C.GLuint64)(unsafe.Pointer(params)))
}

// GetQueryiv calls glGetQueryiv.
func GetQueryiv(target, pname uint32, params *int32) {
	C.callGetQueryiv(getQueryiv, C.GLenum(target), C.GLenum(pname), (*C.GLint)(unsafe.Pointer(params)))
}

// GetShaderInfoLog calls glGetShaderInfoLog.
func GetShaderInfoLog(shader uint32, bufSize int32, length *int32, infoLog *uint8) {
	C.callGetShaderInfoLog(getShaderInfoLog, C.GLuint(shader), C.GLsizei(bufSize), (*C.GLsizei)(unsafe.Pointer(length)), (*C.GLchar)(unsafe.Pointer(infoLog)))
}

// GetShaderiv calls glGetShaderiv.
func GetShaderiv(shader, pname uint32, params *int32) {
	C.callGetShaderiv(getShaderiv, C.GLuint(shader), C.GLenum(pname), (*C.GLint)(unsafe.Pointer(params)))
}

// GetString calls glGetString.
func GetString(name uint32) string {
	return C.GoString((*C.char)(unsafe.Pointer(C.callGetString(getString, C.GLenum(name)))))
}

// GetStringi calls glGetStringi.
func GetStringi(name, index uint32) string {
	return C.GoString((*C.char)(unsafe.Pointer(C.callGetStringi(getStringi, C.GLenum(name), C.GLuint(index)))))
}

// LinkProgram calls glLinkProgram.
func LinkProgram(program uint32) {
	C.callLinkProgram(linkProgram, C.GLuint(program))
}

// MapNamedBufferRange calls glMapNamedBufferRange.
func MapNamedBufferRange(buffer uint32, offset, length int, access uint32) unsafe.Pointer {
	return C.callMapNamedBufferRange(mapNamedBufferRange, C.GLuint(buffer), C.GLintptr(offset), C.GLsizeiptr(length), C.GLbitfield(access))
}

// MaxShaderCompilerThreadsARB calls glMaxShaderCompilerThreadsARB.
func MaxShaderCompilerThreadsARB(count uint32) {
	C.callMaxShaderCompilerThreadsARB(maxShaderCompilerThreadsARB, C.GLuint(count))
}

// MaxShaderCompilerThreadsKHR calls glMaxShaderCompilerThreadsKHR.
func MaxShaderCompilerThreadsKHR(count uint32) {
	C.callMaxShaderCompilerThreadsKHR(maxShaderCompilerThreadsKHR, C.GLuint(count))
}

// MemoryBarrier calls glMemoryBarrier.
func MemoryBarrier(barriers uint32) {
	C.callMemoryBarrier(memoryBarrier, C.GLbitfield(barriers))
}

// NamedBufferStorage calls glNamedBufferStorage.
func NamedBufferStorage(buffer uint32, size int, data unsafe.Pointer, flags uint32) {
	C.callNamedBufferStorage(namedBufferStorage, C.GLuint(buffer), C.GLsizeiptr(size), data, C.GLbitfield(flags))
}

// ObjectLabel calls glObjectLabel.
func ObjectLabel(identifier, name uint32, length int32, label *uint8) {
	C.callObjectLabel(objectLabel, C.GLenum(identifier), C.GLuint(name), C.GLsizei(length), (*C.GLchar)(unsafe.Pointer(label)))
}

// PopDebugGroup calls glPopDebugGroup.
func PopDebugGroup() {
	C.callPopDebugGroup(popDebugGroup)
}

// ProgramBinary calls glProgramBinary.
func ProgramBinary(program, binaryFormat uint32, binary unsafe.Pointer, length int32) {
	C.callProgramBinary(programBinary, C.GLuint(program), C.GLenum(binaryFormat), binary, C.GLsizei(length))
}

// ProgramParameteri calls glProgramParameteri.
func ProgramParameteri(program, pname uint32, value int32) {
	C.callProgramParameteri(programParameteri, C.GLuint(program), C.GLenum(pname), C.GLint(value))
}

// PushDebugGroup calls glPushDebugGroup.
func PushDebugGroup(source, id uint32, length int32, message *uint8) {
	C.callPushDebugGroup(pushDebugGroup, C.GLenum(source), C.GLuint(id), C.GLsizei(length), (*C.GLchar)(unsafe.Pointer(message)))
}

// ShaderSource calls glShaderSource with one text.
func ShaderSource(shader uint32, text string) {
	C.callShaderSource(shaderSource, C.GLuint(shader), (*C.GLchar)(unsafe.Pointer(unsafe.StringData(text))), C.GLint(len(text)))
}

// UniformSubroutinesuiv calls glUniformSubroutinesuiv.
func UniformSubroutinesuiv(shadertype uint32, count int32, indices *uint32) {
	C.callUniformSubroutinesuiv(uniformSubroutinesuiv, C.GLenum(shadertype), C.GLsizei(count), (*C.GLuint)(unsafe.Pointer(indices)))
}

// UseProgram calls glUseProgram.
func UseProgram(program uint32) {
	C.callUseProgram(useProgram, C.GLuint(program))
}

func boolean(b bool) C.GLboolean {
	if b {
		return 1
	}
	return 0
}
