//go:build cgo && egl

package glapi

import (
	"slices"

	"vyretop/gl/internal/glapi/core"
)

// The longest driver log that is read, in bytes.
const maxLog = 1 << 20

// completionStatus answers at once while a program is compiled on the driver's threads; every other
// query of it waits for them.
const completionStatus uint32 = core.COMPLETION_STATUS_KHR

// manyThreads leaves their number to the driver.
const manyThreads uint32 = 0xFFFFFFFF

// UseCompilerThreads lets the driver compile on threads of its own, where it can
// (GL_KHR_parallel_shader_compile, or the same of ARB).
func (a *API) UseCompilerThreads() {
	has := a.Extensions()
	switch {
	case slices.Contains(has, "GL_KHR_parallel_shader_compile"):
		core.MaxShaderCompilerThreadsKHR(manyThreads)
	case slices.Contains(has, "GL_ARB_parallel_shader_compile"):
		core.MaxShaderCompilerThreadsARB(manyThreads)
	default:
		return
	}
	a.after("glMaxShaderCompilerThreads")
	a.threads = true
}

// Job is a compute shader that is being compiled and linked.
type Job struct{ shader, program uint32 }

// BeginCompute gives the driver the text of one compute shader to compile and link. Without compiler
// threads it returns when that is done.
func (a *API) BeginCompute(text string) Job {
	j := Job{core.CreateShader(core.COMPUTE_SHADER), core.CreateProgram()}
	core.ShaderSource(j.shader, text)
	core.CompileShader(j.shader)
	a.after("glCompileShader")
	core.ProgramParameteri(j.program, core.PROGRAM_BINARY_RETRIEVABLE_HINT, core.TRUE)
	core.AttachShader(j.program, j.shader)
	core.LinkProgram(j.program)
	a.after("glLinkProgram")
	return j
}

// Finished reports whether EndCompute would return without waiting for the driver.
func (a *API) Finished(j Job) bool {
	return !a.threads || status(j.program, completionStatus, core.GetProgramiv)
}

// EndCompute waits for the driver and takes the program. ok false means that log says why; log may
// also hold warnings of a success. The program object is 0 on failure.
func (a *API) EndCompute(j Job) (program uint32, log string, ok bool) {
	defer core.DeleteShader(j.shader)
	log = readLog(j.shader, core.GetShaderiv, core.GetShaderInfoLog)
	if !status(j.shader, core.COMPILE_STATUS, core.GetShaderiv) {
		core.DeleteProgram(j.program)
		return 0, log, false
	}
	core.DetachShader(j.program, j.shader)
	log += readLog(j.program, core.GetProgramiv, core.GetProgramInfoLog)
	if !status(j.program, core.LINK_STATUS, core.GetProgramiv) {
		core.DeleteProgram(j.program)
		return 0, log, false
	}
	return j.program, log, true
}

func status(h, what uint32, get func(uint32, uint32, *int32)) bool {
	var v int32
	get(h, what, &v)
	return v == core.TRUE
}

func readLog(h uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	get(h, core.INFO_LOG_LENGTH, &n)
	if n <= 1 {
		return ""
	}
	buf := make([]byte, min(n, maxLog))
	var got int32
	read(h, int32(len(buf)), &got, &buf[0])
	return string(buf[:got])
}

// LocalSize reads the workgroup size that the linked text declares.
func (a *API) LocalSize(program uint32) [3]uint32 {
	var v [3]int32
	core.GetProgramiv(program, core.COMPUTE_WORK_GROUP_SIZE, &v[0])
	a.after("glGetProgramiv")
	return [3]uint32{uint32(v[0]), uint32(v[1]), uint32(v[2])}
}

// StorageBlock is a storage block that a linked text uses.
type StorageBlock struct {
	Name    string
	Binding uint32
	Bytes   int // of the fixed part and one element of a runtime array
}

// StorageBlocks lists the storage blocks that the linked text uses.
func (a *API) StorageBlocks(program uint32) []StorageBlock {
	var n, longest int32
	core.GetProgramInterfaceiv(program, core.SHADER_STORAGE_BLOCK, core.ACTIVE_RESOURCES, &n)
	core.GetProgramInterfaceiv(program, core.SHADER_STORAGE_BLOCK, core.MAX_NAME_LENGTH, &longest)
	props := [2]uint32{core.BUFFER_BINDING, core.BUFFER_DATA_SIZE}
	name := make([]byte, longest+1)
	out := make([]StorageBlock, n)
	for i := range out {
		var v [2]int32
		var length int32
		core.GetProgramResourceiv(program, core.SHADER_STORAGE_BLOCK, uint32(i), 2, &props[0], 2, nil, &v[0])
		core.GetProgramResourceName(program, core.SHADER_STORAGE_BLOCK, uint32(i), int32(len(name)), &length, &name[0])
		out[i] = StorageBlock{Name: string(name[:length]), Binding: uint32(v[0]), Bytes: int(v[1])}
	}
	a.after("glGetProgramResource")
	return out
}

// DeleteProgram deletes a program once the device no longer uses it.
func (a *API) DeleteProgram(program uint32) {
	core.DeleteProgram(program)
	a.after("glDeleteProgram")
}
