package tree

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Format renders a program as indented text for people and golden tests: GLSL-like, with
// everything implicit written out. Notation beyond GLSL:
//
//	float~(x)     implicit conversion          splat3(x)   scalar repeated to a vector
//	uvec2{a, b}   composed value or constant   &x          argument that is written
//	@a.comp:3:5   where a function or statement starts
func Format(p *Program) string {
	w := &printer{}
	w.line("local_size %d %d %d", p.LocalSize[0], p.LocalSize[1], p.LocalSize[2])
	for _, s := range p.Structs {
		w.members("struct "+s.Name, s)
	}
	for _, b := range p.Buffers {
		w.members(fmt.Sprintf("buffer %s %s binding %d%s", b.Name, b.Instance, b.Binding, memoryString(b.Memory)), b.Block)
	}
	for _, v := range p.Constants {
		w.line("const %s %s = %s", v.Type, v.Name, FormatExpr(v.Value))
	}
	for _, v := range p.Shared {
		w.line("shared %s %s", v.Type, v.Name)
	}
	for i := range p.Globals {
		w.line("global %s", w.declarator(&p.Globals[i]))
	}
	for _, f := range p.Functions {
		w.line("%s %s @%s", f.Result, f.Signature(), f.Pos)
		w.block(f.Body.List)
	}
	return w.b.String()
}

// FormatExpr renders one expression in the notation of Format.
func FormatExpr(e Expr) string {
	if e == nil {
		return ""
	}
	return exprString(e)
}

type printer struct {
	b      strings.Builder
	indent int
}

func (w *printer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *printer) members(head string, s *Struct) {
	w.line("%s size %d align %d", head, s.Size(), s.Align())
	w.indent++
	for i := range s.Members {
		m := &s.Members[i]
		w.line("%4d %s %s%s", m.Offset, m.Type, m.Name, memoryString(m.Memory))
	}
	w.indent--
}

func memoryString(m Memory) string {
	s := ""
	for i, word := range []string{"coherent", "volatile", "restrict", "readonly", "writeonly"} {
		if m.Has(1 << i) {
			s += " " + word
		}
	}
	return s
}

func (w *printer) block(list []Stmt) {
	w.indent++
	for _, s := range list {
		w.stmt(s)
	}
	w.indent--
}

// inner prints the statement that another one controls.
func (w *printer) inner(s Stmt) {
	if b, ok := s.(*Block); ok {
		w.block(b.List)
		return
	}
	w.block([]Stmt{s})
}

func (w *printer) declarator(d *Declarator) string {
	s := fmt.Sprintf("%s %s", d.Var.Type, d.Var.Name)
	if d.Var.Const {
		s = "const " + s
	}
	if d.Init != nil {
		s += " = " + FormatExpr(d.Init)
	}
	return s
}

func (w *printer) stmt(s Stmt) {
	at := s.Pos()
	place := fmt.Sprintf("@%d:%d", at.Line, at.Col)
	switch x := s.(type) {
	case *Declare:
		for i := range x.Vars {
			w.line("%s %s", w.declarator(&x.Vars[i]), place)
		}
	case *ExprStmt:
		w.line("%s %s", FormatExpr(x.X), place)
	case *Empty:
		if x.Breakpoint != "" {
			w.line("breakpoint(%s) %s", x.Breakpoint, place)
			return
		}
		w.line("empty %s", place)
	case *Block:
		w.line("block %s", place)
		w.block(x.List)
	case *If:
		w.ifStmt(x, place)
	case *For:
		w.line("for %s %s", FormatExpr(x.Cond), place)
		w.loop(x.Init, x.CondDecl, x.Post, x.Body)
	case *While:
		w.line("while %s %s", FormatExpr(x.Cond), place)
		w.loop(nil, x.CondDecl, nil, x.Body)
	case *DoWhile:
		w.line("do while %s %s", FormatExpr(x.Cond), place)
		w.inner(x.Body)
	case *Switch:
		w.switchStmt(x, place)
	case *Return:
		w.line("%s %s", strings.TrimSpace("return "+FormatExpr(x.X)), place)
	default:
		w.line("%s %s", strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", s), "*tree.")), place)
	}
}

func (w *printer) ifStmt(x *If, place string) {
	w.line("if %s %s", FormatExpr(x.Cond), place)
	w.inner(x.Then)
	if x.Else != nil {
		w.line("else")
		w.inner(x.Else)
	}
}

func (w *printer) loop(init Stmt, cond *Declare, post Expr, body Stmt) {
	w.indent++
	if init != nil {
		w.line("init")
		w.block([]Stmt{init})
	}
	if cond != nil {
		w.line("condition declares")
		w.block([]Stmt{cond})
	}
	if post != nil {
		w.line("step %s", FormatExpr(post))
	}
	w.indent--
	w.inner(body)
}

func (w *printer) switchStmt(x *Switch, place string) {
	w.line("switch %s %s", FormatExpr(x.Tag), place)
	w.indent++
	for i := range x.Cases {
		c := &x.Cases[i]
		labels := make([]string, 0, len(c.Values)+1)
		for _, v := range c.Values {
			labels = append(labels, "case "+componentString(x.Tag.Type().Kind, v))
		}
		if c.Default {
			labels = append(labels, "default")
		}
		w.line("%s:", strings.Join(labels, ", "))
		w.block(c.Body)
	}
	w.indent--
}

// componentString writes one component as GLSL would.
func componentString(k Kind, bits uint32) string {
	switch k {
	case KindBool:
		return strconv.FormatBool(bits != 0)
	case KindInt:
		return strconv.Itoa(int(int32(bits)))
	case KindUint:
		return strconv.FormatUint(uint64(bits), 10) + "u"
	default:
		return floatString(math.Float32frombits(bits))
	}
}

// componentText writes the first component of bits, which may have 64.
func componentText(k Kind, bits []uint32) string {
	if k.Words() == 1 {
		return componentString(k, bits[0])
	}
	v := Join(bits)
	switch k {
	case KindInt64:
		return strconv.FormatInt(int64(v), 10) + "l"
	case KindUint64:
		return strconv.FormatUint(v, 10) + "ul"
	}
	return floatText(math.Float64frombits(v), 64) + "lf"
}

// Join is the value of two words of a component of 64 bits, the less significant one first.
func Join(words []uint32) uint64 { return uint64(words[0]) | uint64(words[1])<<32 }

// Split is the reverse of Join.
func Split(v uint64) []uint32 { return []uint32{uint32(v), uint32(v >> 32)} }

func floatString(f float32) string { return floatText(float64(f), 32) }

func floatText(f float64, size int) string {
	s := strconv.FormatFloat(f, 'g', -1, size)
	if strings.Trim(s, "-0123456789") == "" {
		s += ".0"
	}
	return s
}

// constString writes a constant: a scalar plainly, anything else as type{components}.
func constString(t *Type, bits []uint32) string {
	if t.IsScalar() {
		return componentText(t.Kind, bits)
	}
	var parts []string
	for _, k := range componentKinds(t) {
		parts = append(parts, componentText(k, bits))
		bits = bits[k.Words():]
	}
	return t.String() + "{" + strings.Join(parts, ", ") + "}"
}

// componentKinds lists the kind of each component of a value of type t, in the order of
// Const.Bits.
func componentKinds(t *Type) []Kind {
	switch t.Class {
	case ClassStruct:
		var list []Kind
		for i := range t.Struct.Members {
			list = append(list, componentKinds(t.Struct.Members[i].Type)...)
		}
		return list
	case ClassArray:
		return slices.Repeat(componentKinds(t.Elem), t.Len)
	default:
		return slices.Repeat([]Kind{t.Kind}, t.Width)
	}
}
