//go:build cgo && egl

package glapi

import (
	"slices"
	"unsafe"

	"vyretop/gl/internal/glapi/core"
)

// BinaryFormats lists the forms in which the driver takes a linked program back; none means that it
// gives none out.
func (a *API) BinaryFormats() []uint32 {
	n := a.Integer(core.NUM_PROGRAM_BINARY_FORMATS)
	if n < 1 {
		return nil
	}
	formats := make([]int32, n)
	core.GetIntegerv(core.PROGRAM_BINARY_FORMATS, &formats[0])
	a.after("glGetIntegerv")
	out := make([]uint32, n)
	for i, f := range formats {
		out[i] = uint32(f)
	}
	return out
}

// ProgramBinary reads a linked program in the driver's form; data is nil when the driver gives none.
func (a *API) ProgramBinary(program uint32) (format uint32, data []byte) {
	var n int32
	core.GetProgramiv(program, core.PROGRAM_BINARY_LENGTH, &n)
	if n < 1 {
		return 0, nil
	}
	data = make([]byte, n)
	core.GetProgramBinary(program, n, &n, &format, unsafe.Pointer(unsafe.SliceData(data)))
	a.after("glGetProgramBinary")
	return format, data[:n]
}

// LoadProgram makes a program of what ProgramBinary gave, perhaps in another process. ok is false
// when the driver does not take it, because it has changed since; program is 0 then.
func (a *API) LoadProgram(format uint32, data []byte) (program uint32, ok bool) {
	if len(data) == 0 || !slices.Contains(a.BinaryFormats(), format) {
		return 0, false
	}
	program = core.CreateProgram()
	core.ProgramBinary(program, format, unsafe.Pointer(unsafe.SliceData(data)), int32(len(data)))
	a.after("glProgramBinary")
	if !status(program, core.LINK_STATUS, core.GetProgramiv) {
		core.DeleteProgram(program)
		return 0, false
	}
	return program, true
}
