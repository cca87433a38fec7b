package conformance

import (
	"fmt"

	"vyretop/engine/glsl/tree"
)

// FieldAt names the field of a block that a byte offset falls into, as GLSL would write it
// ("rows[12].y.z"), and gives the component kind there. Bytes between fields are "padding" of
// KindNone.
func FieldAt(b *tree.Buffer, offset int) (name string, kind tree.Kind) {
	name, kind = fieldIn(b.Block, offset)
	if b.Instance != "" && kind != tree.KindNone {
		name = b.Instance + "." + name
	}
	return name, kind
}

func fieldIn(s *tree.Struct, offset int) (string, tree.Kind) {
	for i := len(s.Members) - 1; i >= 0; i-- {
		m := &s.Members[i]
		if offset < m.Offset {
			continue
		}
		path, kind := fieldOf(m.Type, offset-m.Offset)
		if kind == tree.KindNone {
			break
		}
		return m.Name + path, kind
	}
	return "padding", tree.KindNone
}

// fieldOf continues inside a value of type t.
func fieldOf(t *tree.Type, offset int) (string, tree.Kind) {
	switch t.Class {
	case tree.ClassScalar:
		return "", kindWithin(t, offset)
	case tree.ClassVector:
		kind := kindWithin(t, offset)
		if kind == tree.KindNone {
			return "", kind
		}
		i := offset / t.Stride()
		return "." + "xyzw"[i:i+1], kind
	case tree.ClassStruct:
		path, kind := fieldIn(t.Struct, offset)
		return "." + path, kind
	default:
		if t.RowMajor {
			column := offset % t.Stride() / t.Column()
			if column >= t.Len {
				return "", tree.KindNone
			}
			return fmt.Sprintf("[%d].%c", column, "xyzw"[offset/t.Stride()]), t.Elem.Kind
		}
		path, kind := fieldOf(t.Elem, offset%t.Stride())
		return fmt.Sprintf("[%d]%s", offset/t.Stride(), path), kind
	}
}

func kindWithin(t *tree.Type, offset int) tree.Kind {
	if offset >= t.Size() {
		return tree.KindNone
	}
	return t.Kind
}
