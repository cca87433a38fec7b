package stage

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl/tree"
)

// component is a word of a value: a component of 32 bits, or half of one of 64.
type component struct {
	name string
	kind tree.Kind
	half int
}

// components calls visit for each word of a value that the text calls name, in the order of tree.Const.Bits.
func components(name string, t *tree.Type, visit func(c component)) {
	each := func(name string) {
		for half := range t.Kind.Words() {
			visit(component{name, t.Kind, half})
		}
	}
	switch {
	case t.IsScalar():
		each(name)
	case t.IsVector():
		for i := range t.Width {
			each(fmt.Sprintf("%s.%c", name, "xyzw"[i]))
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

// saved is the text of the word as a uint.
func (c component) saved() string {
	switch c.kind {
	case tree.KindFloat:
		return "floatBitsToUint(" + c.name + ")"
	case tree.KindUint:
		return c.name
	case tree.KindDouble:
		return fmt.Sprintf("unpackDouble2x32(%s).%c", c.name, "xy"[c.half])
	case tree.KindInt64, tree.KindUint64:
		return fmt.Sprintf("uint(%s >> %d)", c.name, 32*c.half)
	default:
		return "uint(" + c.name + ")"
	}
}

// restored is the assignment that gives the component the word back, the lower half first.
func (c component) restored(word string) string {
	switch {
	case c.kind == tree.KindDouble && c.half == 1:
		return fmt.Sprintf("%s = packDouble2x32(uvec2(unpackDouble2x32(%s).x, %s))", c.name, c.name, word)
	case c.kind == tree.KindDouble:
		return fmt.Sprintf("%s = packDouble2x32(uvec2(%s, 0u))", c.name, word)
	case c.half == 1:
		return fmt.Sprintf("%s |= %s(%s) << 32", c.name, c.kind, word)
	}
	return c.name + " = " + fromBits(c.kind, word)
}

// fromBits is the text of a component, or of its lower half, made of a uint.
func fromBits(k tree.Kind, text string) string {
	switch k {
	case tree.KindFloat:
		return "uintBitsToFloat(" + text + ")"
	case tree.KindBool:
		return "(" + text + " != 0u)"
	case tree.KindUint:
		return text
	default:
		return k.String() + "(" + text + ")"
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
	switch {
	case t.Kind == tree.KindDouble && t.IsScalar():
		return fmt.Sprintf("packDouble2x32(uvec2(%du, %du))", bits[0], bits[1])
	case t.IsScalar() && t.Kind.Words() == 2:
		return fmt.Sprintf("%s(%dul)", t.Kind, tree.Join(bits))
	case t.IsScalar():
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
