package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// module writes everything at module scope but the functions' bodies.
func (w *writer) module() {
	for _, s := range w.prog.Structs {
		w.line(s.Pos, "struct %s {", w.names.structs[s])
		w.members(s)
		w.line(s.Pos, "};")
	}
	for _, b := range w.prog.Buffers {
		w.buffer(b)
	}
	for _, v := range w.prog.Constants {
		w.line(v.Pos, "%s%s = %s;", constWord(v.Type), w.variable(v.Type, w.names.of(v.Name)), w.literal(v.Type, v.Value.Bits))
	}
	for _, v := range w.prog.Shared {
		w.line(v.Pos, "shared %s;", w.variable(sharedType(w, v), w.names.of(v.Name)))
	}
	for i := range w.prog.Globals {
		v := w.prog.Globals[i].Var
		w.line(v.Pos, "%s;", w.variable(v.Type, w.names.of(v.Name)))
	}
	for _, f := range w.prog.Functions {
		switch {
		case f == w.prog.Main:
		case f.NoInline:
			w.line(f.Pos, "subroutine %s; subroutine uniform %s %s;", w.head(f, subroutineType(f)), subroutineType(f), subroutineName(f))
		default:
			w.line(f.Pos, "%s;", w.head(f, w.names.function(f)))
		}
	}
}

func (w *writer) members(s *tree.Struct) {
	for i := range s.Members {
		m := &s.Members[i]
		w.line(m.Pos, "  %s%s%s;", placeWords(m), memoryWords(m.Memory), w.variable(m.Type, w.names.of(m.Name)))
	}
}

// rereadable is a block as words, which is written by atomics if it has members of less than 32 bits: NVIDIA's compiler (580.159)
// takes such a word for what it was before one, unless it is volatile.
func rereadable(w *writer, b *tree.Buffer) *tree.Buffer {
	narrow := slices.ContainsFunc(b.Block.Members, func(m tree.Member) bool { return m.Type.HasNarrow() })
	if _, written := w.memory.writes[memory{buffer: b.Packed}]; !written || !narrow {
		return b.Packed
	}
	words := *b.Packed
	words.Memory |= tree.Coherent | tree.Volatile
	return &words
}

// buffer writes a block. Uniforms are storage blocks that are only read: they have the layout of uniform blocks where
// the text says so, and one kind of binding serves all.
func (w *writer) buffer(b *tree.Buffer) {
	if b.Packed != nil {
		b = rereadable(w, b)
	}
	packing, name := "std430", w.names.of(b.Name)
	if b.Layout.Std140 {
		packing = "std140"
	}
	switch {
	case b.Image != nil:
		name = reserved + "image_" + name
	case b.Default:
		name = reserved + b.Name
	}
	head := fmt.Sprintf("layout(%s, binding = %d) %sbuffer %s", packing, b.Binding, memoryWords(b.Memory), name)
	w.line(b.Pos, "%s {", head)
	w.members(b.Block)
	if b.Instance == "" {
		w.line(b.Pos, "};")
	} else {
		w.line(b.Pos, "} %s;", w.names.of(b.Instance))
	}
}

// placeWords is what a driver must know of the place of a member in a block.
func placeWords(m *tree.Member) string {
	var words []string
	if m.Place.Offset > 0 || m.Place.Align > 0 {
		words = append(words, fmt.Sprintf("offset = %d", m.Offset))
	}
	if m.Type.HasRows() {
		words = append(words, "row_major")
	}
	if words == nil {
		return ""
	}
	return "layout(" + strings.Join(words, ", ") + ") "
}

func memoryWords(m tree.Memory) string {
	s := ""
	for i, word := range []string{"coherent ", "volatile ", "restrict ", "readonly ", "writeonly "} {
		if m.Has(1 << i) {
			s += word
		}
	}
	return s
}

// subroutineType and subroutineName are the subroutine type of a function that is to be compiled on its own and the uniform through which
// it is called: a driver cannot know which function that will be (GLSL 4.50, section 6.1.2). Each has a type of its own:
// NVIDIA's compiler (580.159) takes a call of a type from one of its functions for recursion.
func subroutineType(f *tree.Function) string { return fmt.Sprintf("%stype%d", reserved, f.ID) }
func subroutineName(f *tree.Function) string { return fmt.Sprintf("%scall%d", reserved, f.ID) }

// head writes a function's result and parameters with a name, its own or that of its subroutine type.
func (w *writer) head(f *tree.Function, name string) string {
	params := make([]string, len(f.Params))
	for i, p := range f.Params {
		params[i] = fmt.Sprintf("%s %s", p.Mode, w.variable(p.Type, parameterName(w.names, p)))
	}
	return fmt.Sprintf("%s %s(%s)", w.typeName(f.Result), name, strings.Join(params, ", "))
}

// function writes a definition. Parameters that are out start as zero, and a function that ends
// without a return yields zero.
func (w *writer) function(f *tree.Function) {
	w.returns = returningOf(w, f)
	head := w.head(f, w.names.function(f))
	if f.NoInline {
		head = "subroutine(" + subroutineType(f) + ") " + head
	}
	w.block(f.Pos, head, func() {
		if f == w.prog.Main {
			w.start()
		}
		for _, p := range f.Params {
			if p.Mode == tree.ModeOut {
				w.clear(p.Pos, parameterName(w.names, p), p.Type, !isWide(p.Type))
			}
		}
		w.list(f.Body.List)
		if f.Result != tree.Void && !endsInReturn(f.Body.List) {
			w.line(f.End, "return %s;", w.zero(f.Result))
		}
	})
}

func endsInReturn(list []tree.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, is := list[len(list)-1].(*tree.Return)
	return is
}

// constWord is the qualifier of a constant; one with floats, which are hidden, is none to the driver.
func constWord(t *tree.Type) string {
	if hasFloat(t) {
		return ""
	}
	return "const "
}

// hasFloat reports whether a value of type t has a component that is a float or a double.
func hasFloat(t *tree.Type) bool { return hasKind(t, tree.KindFloat) || hasKind(t, tree.KindDouble) }

// hasKind reports whether a value of type t has a component of kind k.
func hasKind(t *tree.Type, k tree.Kind) bool {
	switch t.Class {
	case tree.ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasKind(m.Type, k) })
	case tree.ClassArray:
		return hasKind(t.Elem, k)
	default:
		return t.Kind == k
	}
}

// start gives the variables at module scope their first values, at the beginning of main.
func (w *writer) start() {
	for i := range w.prog.Globals {
		v := w.prog.Globals[i].Var
		w.initialize(&w.prog.Globals[i], w.names.of(v.Name))
	}
	if len(w.prog.Shared) == 0 {
		return
	}
	for _, v := range w.prog.Shared {
		w.clearShared(v)
	}
	w.line(source.Pos{}, "barrier();")
}
