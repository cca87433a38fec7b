package emit

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// input writes an input. Where the invocations of a workgroup lie along x only (tree.Program.Shape), its place in the workgroup of the
// text is calculated.
func input(w *writer, v *tree.Variable) string {
	shape := w.prog.Shape
	if shape == [3]uint32{} {
		return v.Name
	}
	local := fmt.Sprintf("uvec3(gl_LocalInvocationIndex %% %du, gl_LocalInvocationIndex / %du %% %du, gl_LocalInvocationIndex / %du)",
		shape[0], shape[0], shape[1], shape[0]*shape[1])
	switch v.Input {
	case tree.InputLocalInvocationID:
		return local
	case tree.InputGlobalInvocationID:
		return fmt.Sprintf("(gl_WorkGroupID * uvec3(%du, %du, %du) + %s)", shape[0], shape[1], shape[2], local)
	}
	return v.Name
}

// shapeOf is the workgroup size as the text has it.
func shapeOf(p *tree.Program) [3]uint32 {
	if p.Shape != [3]uint32{} {
		return p.Shape
	}
	return p.LocalSize
}
