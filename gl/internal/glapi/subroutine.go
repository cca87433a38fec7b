//go:build cgo && egl

package glapi

import "vyretop/gl/internal/glapi/core"

// Subroutines returns the subroutine for each subroutine uniform of a compute program, by location: the first that fits
// where several do. It is nil where the program has none.
func (a *API) Subroutines(program uint32) []uint32 {
	var active int32
	core.GetProgramInterfaceiv(program, core.COMPUTE_SUBROUTINE_UNIFORM, core.ACTIVE_RESOURCES, &active)
	a.after("glGetProgramInterfaceiv")
	var set []uint32
	for i := range uint32(active) {
		at := a.subroutineUniform(program, i, core.LOCATION)
		if at < 0 {
			continue
		}
		for len(set) <= int(at) {
			set = append(set, 0)
		}
		set[at] = uint32(a.subroutineUniform(program, i, core.COMPATIBLE_SUBROUTINES))
	}
	return set
}

// subroutineUniform reads a property of a subroutine uniform, or the first value of one that has several.
func (a *API) subroutineUniform(program, index, property uint32) int32 {
	var value, n int32
	core.GetProgramResourceiv(program, core.COMPUTE_SUBROUTINE_UNIFORM, index, 1, &property, 1, &n, &value)
	a.after("glGetProgramResourceiv")
	return value
}

// UseSubroutines sets the subroutine uniforms of the current program, which forgets them when another becomes current.
func (a *API) UseSubroutines(set []uint32) {
	if len(set) > 0 {
		core.UniformSubroutinesuiv(core.COMPUTE_SHADER, int32(len(set)), &set[0])
		a.after("glUniformSubroutinesuiv")
	}
}
