package lsp

import (
	"fmt"
	"strings"

	"vyretop/engine/glsl"
	"vyretop/engine/glsl/tree"
)

// declaration writes a symbol as GLSL declares it. in is the structure or block of a member as it is laid out at hand.
func declaration(x *glsl.Symbol, in *tree.Struct) string {
	switch x.Kind {
	case glsl.SymbolVariable:
		return variable(x.Variable)
	case glsl.SymbolFunction:
		return function(x.Function)
	case glsl.SymbolStruct:
		return "struct " + x.Name
	case glsl.SymbolBlock:
		return block(x.Buffer)
	case glsl.SymbolMember:
		return memory(memberMemory(x)) + declarator(in.Members[x.Member].Type, x.Name)
	case glsl.SymbolMacro:
		return "#define " + x.Macro
	case glsl.SymbolBuiltin:
		return strings.Join(x.Builtin.Generic, ";\n") + ";"
	}
	return "const uvec3 " + x.Name
}

func memberMemory(x *glsl.Symbol) tree.Memory {
	if x.Buffer != nil {
		return x.Buffer.MemberMemory(x.Member)
	}
	return x.Struct.Members[x.Member].Memory
}

// declarator writes a type and a name, with the dimensions of arrays behind the name.
func declarator(t *tree.Type, name string) string {
	dims := ""
	for t.IsArray() && !t.Matrix {
		if t.Class == tree.ClassRuntimeArray {
			dims += "[]"
		} else {
			dims += fmt.Sprintf("[%d]", t.Len)
		}
		t = t.Elem
	}
	return t.String() + " " + name + dims
}

func variable(v *tree.Variable) string {
	text := declarator(v.InText(), v.Name)
	switch {
	case v.Kind == tree.VarShared:
		text = "shared " + text
	case v.Kind == tree.VarInput:
		text = "in " + text
	case v.Kind == tree.VarParam && v.Mode != tree.ModeIn:
		text = v.Mode.String() + " " + text
	case v.Const:
		text = "const " + text
	}
	if v.Value != nil && v.Type.Width > 0 {
		text += " = " + tree.FormatExpr(v.Value)
	}
	return text
}

func function(f *tree.Function) string {
	var params []string
	for _, v := range f.Params {
		params = append(params, variable(v))
	}
	return f.ResultInText().String() + " " + f.Name + "(" + strings.Join(params, ", ") + ")"
}

func block(b *tree.Buffer) string {
	kind, layout := "buffer", "std430"
	if b.Uniform {
		kind = "uniform"
	}
	switch {
	case b.Layout.Std140:
		layout = "std140"
	case b.Layout.Scalar:
		layout = "scalar"
	}
	if b.Image != nil {
		return "uniform " + b.Image.Type + " " + b.Name
	}
	if b.Binding >= 0 {
		layout += fmt.Sprintf(", binding = %d", b.Binding)
	}
	text := "layout(" + layout + ") " + memory(b.Memory) + kind + " " + b.Name
	if b.Uniform {
		text = "layout(" + layout + ") " + kind + " " + b.Name
	}
	if b.Instance != "" {
		text += " " + b.Instance
	}
	return text
}

var memoryWords = []string{"coherent", "volatile", "restrict", "readonly", "writeonly"}

func memory(m tree.Memory) string {
	text := ""
	for i, word := range memoryWords {
		if m.Has(1 << i) {
			text += word + " "
		}
	}
	return text
}

// layoutOf lists the members of a structure or a block with their places in memory.
func layoutOf(s *tree.Struct) string {
	var b strings.Builder
	b.WriteString("offset  bytes  member\n")
	for i := range s.Members {
		m := &s.Members[i]
		fmt.Fprintf(&b, "%6d %6s  %s%s\n", m.Offset, size(m.Type), declarator(m.Type, m.Name), stride(m.Type))
	}
	rest := ""
	if last := &s.Members[len(s.Members)-1]; last.Type.Class == tree.ClassRuntimeArray {
		rest = " and the elements of " + last.Name
	}
	fmt.Fprintf(&b, "%d bytes%s, alignment %d", s.Size(), rest, (&tree.Type{Class: tree.ClassStruct, Struct: s}).Align())
	return b.String()
}

// size is the size of a type in bytes; that of a runtime array is open.
func size(t *tree.Type) string {
	if t.Class == tree.ClassRuntimeArray {
		return "…"
	}
	return fmt.Sprint(t.Size())
}

// stride tells how far apart the elements of an array are.
func stride(t *tree.Type) string {
	if !t.IsArray() {
		return ""
	}
	return fmt.Sprintf(" (stride %d)", t.Stride())
}

// comment is what the text says of a declaration: the comment lines right above it, or the comment behind it in its line.
func comment(text string, declared int) string {
	starts := lineStarts(text)
	var list []string
	for n := declared - 2; n >= 0; n-- {
		l := strings.TrimSpace(line(text, starts, n))
		c, is := strings.CutPrefix(l, "//")
		if !is {
			break
		}
		list = append([]string{strings.TrimSpace(c)}, list...)
	}
	if len(list) == 0 {
		if _, c, found := strings.Cut(line(text, starts, declared-1), "//"); found {
			list = append(list, strings.TrimSpace(c))
		}
	}
	return strings.TrimSpace(strings.Join(list, "\n"))
}
