package emit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"vyretop/engine/glsl/tree"
)

// literal writes a constant.
func (w *writer) literal(t *tree.Type, bits []uint32) string {
	if t.IsScalar() {
		return w.component(t.Kind, bits[0])
	}
	var parts []string
	for _, part := range constructed(t) {
		n := part.Components()
		parts = append(parts, w.literal(part, bits[:n]))
		bits = bits[n:]
	}
	return w.typeName(t) + "(" + strings.Join(parts, ", ") + ")"
}

// constructed lists the types of what a constructor of t takes.
func constructed(t *tree.Type) []*tree.Type {
	var list []*tree.Type
	switch t.Class {
	case tree.ClassStruct:
		for i := range t.Struct.Members {
			list = append(list, t.Struct.Members[i].Type)
		}
	case tree.ClassArray:
		for range t.Len {
			list = append(list, t.Elem)
		}
	default:
		for range t.Width {
			list = append(list, t.Element())
		}
	}
	return list
}

func (w *writer) component(k tree.Kind, bits uint32) string {
	switch {
	case k == tree.KindBool:
		return strconv.FormatBool(bits != 0)
	case k == tree.KindUint:
		return strconv.FormatUint(uint64(bits), 10) + "u"
	case k == tree.KindFloat:
		return w.float(bits)
	case int32(bits) == math.MinInt32:
		return "(-2147483647 - 1)"
	case int32(bits) < 0:
		return "(" + strconv.Itoa(int(int32(bits))) + ")"
	default:
		return strconv.Itoa(int(bits))
	}
}

// float writes a constant by its bits, and so that a driver's compiler does not know it: see Hidden
// constants in the documentation of this package.
func (w *writer) float(bits uint32) string {
	return fmt.Sprintf("%s(0x%xu ^ %s)", literalFunction, bits, w.prelude.Call("hidden", 1))
}

// one writes the value 1 in every component of a float type.
func (w *writer) one(t *tree.Type) string {
	return w.literal(t, []uint32{0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000}[:t.Width])
}
