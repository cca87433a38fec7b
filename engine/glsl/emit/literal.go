package emit

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/tree"
)

// literal writes a constant.
func (w *writer) literal(t *tree.Type, bits []uint32) string {
	if t.IsScalar() {
		return w.component(t.Kind, bits)
	}
	var parts []string
	for _, part := range constructed(t) {
		n := part.Components()
		parts = append(parts, w.literal(part, bits[:n]))
		bits = bits[n:]
	}
	return constructor(w, t) + "(" + strings.Join(parts, ", ") + ")"
}

// constructor names what makes a value of its parts. NVIDIA's compiler (580.159) takes a matrix that is not square for the transposed one
// in the constructor of a structure, once a block has one with row_major: a function sets the members of such a structure.
func constructor(w *writer, t *tree.Type) string {
	if t.Class != tree.ClassStruct || !t.HasOblong() {
		return w.typeName(t)
	}
	return w.helper("construct "+w.typeName(t), func(name string) string {
		var params []string
		body := w.typeName(t) + " r; "
		for i, m := range t.Struct.Members {
			param := fmt.Sprintf("p%d", i)
			params = append(params, w.variable(plain(m.Type), param))
			body += fmt.Sprintf("r.%s = %s; ", w.names.of(m.Name), param)
		}
		return fmt.Sprintf("%s %s(%s) { %sreturn r; }", w.typeName(t), name, strings.Join(params, ", "), body)
	})
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

func (w *writer) component(k tree.Kind, words []uint32) string {
	bits := words[0]
	switch {
	case k == tree.KindDouble:
		return fmt.Sprintf("%s(0x%xu, 0x%xu)", w.prelude.Call("constantD", 1), bits, words[1])
	case k == tree.KindUint64:
		return strconv.FormatUint(tree.Join(words), 10) + "ul"
	case k == tree.KindInt64:
		return int64Literal(int64(tree.Join(words)))
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

func int64Literal(v int64) string {
	switch {
	case v == math.MinInt64:
		return "(-9223372036854775807l - 1l)"
	case v < 0:
		return fmt.Sprintf("(%dl)", v)
	}
	return fmt.Sprintf("%dl", v)
}

// float writes a constant by its bits, and so that a driver's compiler does not know it: see Hidden
// constants in the documentation of this package.
func (w *writer) float(bits uint32) string {
	return fmt.Sprintf("%s(0x%xu ^ %s)", literalFunction, bits, w.prelude.Call("hidden", 1))
}

// one writes the value 1 in every component of a float or double type.
func (w *writer) one(t *tree.Type) string {
	one := []uint32{0x3F800000}
	if t.Kind == tree.KindDouble {
		one = []uint32{0, 0x3FF00000}
	}
	return w.literal(t, slices.Repeat(one, t.Width))
}
