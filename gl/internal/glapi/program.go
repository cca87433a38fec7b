//go:build cgo && egl

package glapi

import core "github.com/go-gl/gl/v4.5-core/gl"

// The longest driver log that is read, in bytes.
const maxLog = 1 << 20

// CompileCompute compiles and links one compute shader. ok false means that log says why; log may
// also hold warnings of a success. The program object is 0 on failure.
func (a *API) CompileCompute(text string) (program uint32, log string, ok bool) {
	shader := core.CreateShader(core.COMPUTE_SHADER)
	defer core.DeleteShader(shader)
	src, free := core.Strs(text)
	length := int32(len(text))
	core.ShaderSource(shader, 1, src, &length)
	free()
	core.CompileShader(shader)
	a.after("glCompileShader")
	log = readLog(shader, core.GetShaderiv, core.GetShaderInfoLog)
	if !status(shader, core.COMPILE_STATUS, core.GetShaderiv) {
		return 0, log, false
	}
	program = core.CreateProgram()
	core.ProgramParameteri(program, core.PROGRAM_BINARY_RETRIEVABLE_HINT, core.TRUE)
	core.AttachShader(program, shader)
	core.LinkProgram(program)
	core.DetachShader(program, shader)
	a.after("glLinkProgram")
	log += readLog(program, core.GetProgramiv, core.GetProgramInfoLog)
	if !status(program, core.LINK_STATUS, core.GetProgramiv) {
		core.DeleteProgram(program)
		return 0, log, false
	}
	return program, log, true
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
