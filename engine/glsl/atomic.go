package glsl

import (
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Extensions add atomic functions on other types than int and uint. The first of each list is what a device needs, the last what
// a text is told to write.
var (
	floatAtomics   = []string{"GL_NV_shader_atomic_float", "GL_EXT_shader_atomic_float"}
	doubleAtomics  = []string{"GL_NV_shader_atomic_float64", "GL_EXT_shader_atomic_float"}
	extremeAtomics = []string{"GL_INTEL_shader_atomic_float_minmax", "GL_EXT_shader_atomic_float2"}
	int64Atomics   = []string{"GL_NV_shader_atomic_int64", "GL_EXT_shader_atomic_int64"}
)

// atomicExtensions are those that add an atomic function on values of a type; nil means none, as GLSL has it.
func atomicExtensions(op tree.AtomicOp, t *tree.Type) []string {
	switch {
	case t.Kind == tree.KindFloat && (op == tree.AtomicMin || op == tree.AtomicMax):
		return extremeAtomics
	case t.Kind == tree.KindFloat:
		return floatAtomics
	case t.Kind == tree.KindDouble:
		return doubleAtomics
	case t.Kind.Words() == 2:
		return int64Atomics
	}
	return nil
}

// atomicEnabled notes what a device needs for an atomic function, and reports one in a text that enables no extension that adds it.
func atomicEnabled(p *parser, name source.Token, op tree.AtomicOp, t *tree.Type) bool {
	list := atomicExtensions(op, t)
	if list == nil {
		return true
	}
	need(p, list[0])
	if slices.ContainsFunc(list, func(x string) bool { return enabled(p, x) }) {
		return true
	}
	p.outside(name.Pos, name.Text, "write: #extension "+list[len(list)-1]+" : require", "%s on a value of type %s needs an extension", name.Text, t)
	return false
}
