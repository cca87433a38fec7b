package stage

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// components calls visit for each 32-bit component of a value that the text calls name, in the order of
// tree.Const.Bits.
func components(name string, t *tree.Type, visit func(name string, kind tree.Kind)) {
	switch {
	case t.IsScalar():
		visit(name, t.Kind)
	case t.IsVector():
		for i := range t.Width {
			visit(fmt.Sprintf("%s.%c", name, "xyzw"[i]), t.Kind)
		}
	case t.IsArray():
		for i := range t.Len {
			components(fmt.Sprintf("%s[%d]", name, i), t.Elem, visit)
		}
	case t.Struct != nil:
		for _, m := range t.Struct.Members {
			components(name+"."+m.Name, m.Type, visit)
		}
	}
}

// toBits is the text of a component as a uint, fromBits the way back.
func toBits(k tree.Kind, text string) string {
	switch k {
	case tree.KindFloat:
		return "floatBitsToUint(" + text + ")"
	case tree.KindUint:
		return text
	default:
		return "uint(" + text + ")"
	}
}

func fromBits(k tree.Kind, text string) string {
	switch k {
	case tree.KindFloat:
		return "uintBitsToFloat(" + text + ")"
	case tree.KindBool:
		return "(" + text + " != 0u)"
	case tree.KindInt:
		return "int(" + text + ")"
	default:
		return text
	}
}

// declaration is "type name", with the dimensions of an array behind the name.
func declaration(t *tree.Type, name string) string {
	elem := t
	for elem.IsArray() && !elem.Matrix {
		elem = elem.Elem
	}
	return elem.String() + " " + name + strings.TrimPrefix(t.String(), elem.String())
}

// constant is the text of a constant expression with the given components.
func constant(t *tree.Type, bits []uint32) string {
	if t.IsScalar() {
		return fromBits(t.Kind, fmt.Sprintf("%du", bits[0]))
	}
	var parts []string
	take := func(t *tree.Type) {
		n := t.Components()
		parts = append(parts, constant(t, bits[:n]))
		bits = bits[n:]
	}
	switch {
	case t.IsVector():
		for range t.Width {
			take(t.Element())
		}
	case t.IsArray():
		for range t.Len {
			take(t.Elem)
		}
	default:
		for _, m := range t.Struct.Members {
			take(m.Type)
		}
	}
	return t.String() + "(" + strings.Join(parts, ", ") + ")"
}
