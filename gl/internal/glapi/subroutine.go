//go:build cgo && egl

package glapi

import "vyretop/gl/internal/glapi/core"

// Subroutines are the subroutine for each subroutine uniform of a compute program, by location.
type Subroutines []uint32

// SubroutinesOf takes the first that fits where several do. It is nil where the program has none.
func SubroutinesOf(a *API, program uint32) Subroutines {
	var active int32
	core.GetProgramInterfaceiv(program, core.COMPUTE_SUBROUTINE_UNIFORM, core.ACTIVE_RESOURCES, &active)
	a.after("glGetProgramInterfaceiv")
	var set Subroutines
	for i := range uint32(active) {
		at := subroutineUniform(a, program, i, core.LOCATION)
		if at < 0 {
			continue
		}
		for len(set) <= int(at) {
			set = append(set, 0)
		}
		set[at] = uint32(subroutineUniform(a, program, i, core.COMPATIBLE_SUBROUTINES))
	}
	return set
}

// subroutineUniform reads a property of a subroutine uniform, or the first value of one that has several.
func subroutineUniform(a *API, program, index, property uint32) int32 {
	var value, n int32
	core.GetProgramResourceiv(program, core.COMPUTE_SUBROUTINE_UNIFORM, index, 1, &property, 1, &n, &value)
	a.after("glGetProgramResourceiv")
	return value
}

// Use sets the subroutine uniforms of the current program, which forgets them when another becomes current.
func (set Subroutines) Use(a *API) {
	if len(set) > 0 {
		core.UniformSubroutinesuiv(core.COMPUTE_SHADER, int32(len(set)), &set[0])
		a.after("glUniformSubroutinesuiv")
	}
}
