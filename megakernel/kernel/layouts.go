package kernel

import (
	"vyretop/engine/glsl/tree"
	"vyretop/megakernel/layout"
)

// BufferLayout describes the buffer with a binding as the kernel declares it; nil where it does not, or where the kernel is
// outside the kernel language and its declarations are not known.
func (k *Kernel) BufferLayout(binding uint32) *layout.Type {
	if k.Program.Tree == nil {
		return nil
	}
	for _, b := range k.Program.Tree.Buffers {
		if uint32(b.Binding) == binding {
			if b.Packed != nil { // several members may share a word
				b = b.Packed
			}
			return structLayout(b.Block)
		}
	}
	return nil
}

var kinds = map[tree.Kind]layout.Kind{tree.KindBool: layout.Bool, tree.KindInt: layout.Int, tree.KindUint: layout.Uint, tree.KindFloat: layout.Float}

func layoutOf(t *tree.Type) *layout.Type {
	switch t.Class {
	case tree.ClassStruct:
		return structLayout(t.Struct)
	case tree.ClassArray, tree.ClassRuntimeArray:
		return &layout.Type{Name: t.String(), Words: t.Size() / 4, Elem: layoutOf(t.Elem), Len: t.Len, Stride: t.Stride() / 4}
	}
	if wide := wideKinds[t.Kind]; wide != nil {
		return wideLayout(t, wide)
	}
	return &layout.Type{Name: t.String(), Words: t.Width, Kind: kinds[t.Kind], Width: t.Width}
}

var wideKinds = map[tree.Kind]*layout.Type{tree.KindDouble: layout.Wide("double"), tree.KindInt64: layout.Wide("int64_t"), tree.KindUint64: layout.Wide("uint64_t")}

// wideLayout describes a scalar or a vector of components of 64 bits: a vector has them as members.
func wideLayout(t *tree.Type, component *layout.Type) *layout.Type {
	if t.IsScalar() {
		return component
	}
	out := &layout.Type{Name: t.String(), Words: t.Components()}
	for i := range t.Width {
		out.Members = append(out.Members, layout.Member{Name: "xyzw"[i : i+1], Offset: i * component.Words, Type: component})
	}
	return out
}

func structLayout(s *tree.Struct) *layout.Type {
	out := &layout.Type{Name: s.Name, Words: s.Size() / 4}
	for _, m := range s.Members {
		out.Members = append(out.Members, layout.Member{Name: m.Name, Offset: m.Offset / 4, Type: layoutOf(m.Type)})
	}
	return out
}
