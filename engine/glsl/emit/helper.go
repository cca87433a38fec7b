package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// helperMark is where the helpers of the kernel will stand: functions on its own types, which cannot be
// part of the prelude. They take no lines of their own: the first function follows them.
const helperMark = "\x00"

// helpers are the functions written so far.
type helpers struct {
	names map[string]string // by what they do
	text  string
}

// helper gives the name of the function that build writes; equal keys share one. build may ask for
// other helpers, which then come first.
func (w *writer) helper(key string, build func(name string) string) string {
	if name, ok := w.helpers.names[key]; ok {
		return name
	}
	name := fmt.Sprintf("%sh%d", reserved, len(w.helpers.names))
	w.helpers.names[key] = name
	text := build(name) // which may add helpers that it calls
	w.helpers.text += text + " "
	return name
}

// hasRowsOfArrays reports whether a value of type t is or contains an array of arrays, whose == NVIDIA's compiler (580.159) refuses or gets wrong
// (testdata/found of package conformance, 0062).
func hasRowsOfArrays(t *tree.Type) bool {
	switch {
	case t.Class == tree.ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasRowsOfArrays(m.Type) })
	case !t.IsArray() || t.Matrix:
		return false
	}
	return t.Elem.IsArray() && !t.Elem.Matrix || hasRowsOfArrays(t.Elem)
}

// same writes the comparison of two values for a device whose own == is not trusted with them.
func (w *writer) same(t *tree.Type, x, y string) string {
	switch {
	case !hasFloat(t) && !hasRowsOfArrays(t):
		return fmt.Sprintf("(%s == %s)", x, y)
	case t.IsVector():
		return w.prelude.Call(ofKind(fmt.Sprintf("equal%d", t.Width), t.Kind), 1) + "(" + x + ", " + y + ")"
	case t.IsScalar():
		return w.call("equal", t, x, y)
	}
	return w.helper("same "+w.typeName(t), func(name string) string { return w.sameParts(name, t) }) + "(" + x + ", " + y + ")"
}

// sameParts writes a function that compares arrays or structures.
func (w *writer) sameParts(name string, t *tree.Type) string {
	const x, y, i = reserved + "x", reserved + "y", reserved + "i"
	head := fmt.Sprintf("bool %s(%s %s, %s %s)", name, w.typeName(t), x, w.typeName(t), y)
	if t.Class == tree.ClassArray && isWide(t) {
		text := ""
		for i := range t.Len {
			at := fmt.Sprintf("[%d]", i)
			text += fmt.Sprintf("if (!%s) return false; ", w.same(t.Elem, x+at, y+at))
		}
		return head + " { " + text + "return true; }"
	}
	if t.Class == tree.ClassArray {
		return fmt.Sprintf("%s { for (int %s = 0; %s < %d; %s++) { if (!%s) return false; } return true; }",
			head, i, i, t.Len, i, w.same(t.Elem, x+"["+i+"]", y+"["+i+"]"))
	}
	var parts []string
	for i := range t.Struct.Members {
		m := &t.Struct.Members[i]
		field := "." + w.names.of(m.Name)
		parts = append(parts, w.same(m.Type, x+field, y+field))
	}
	return fmt.Sprintf("%s { return %s; }", head, strings.Join(parts, " && "))
}

// callUser writes a call of a function of the kernel. Where a result that an out parameter copies back is
// converted to or from float, which GLSL leaves to the driver, or is a matrix that goes to memory, a helper does it.
func (w *writer) callUser(x *tree.Call) string {
	name := w.names.function(x.Func)
	if x.Func.NoInline {
		name = subroutineName(x.Func)
	}
	for i, p := range x.Func.Params {
		to := x.Args[i].X.Type()
		if p.Mode == tree.ModeOut && !p.Type.Equal(to) && hasFloat(to) || storesMatrix(p.Mode, x.Args[i].X) {
			name = w.helper("call "+x.Func.Signature()+" "+argTypes(x.Args), func(name string) string { return w.converting(name, x) })
			break
		}
	}
	return name + "(" + w.args(x.Args) + ")"
}

func argTypes(args []tree.Arg) string {
	s := ""
	for i := range args {
		s += args[i].X.Type().String()
		if storesMatrix(args[i].Mode, args[i].X) {
			s += " in memory"
		}
		s += ","
	}
	return s
}

// converting writes a function with the types of the arguments that calls the one called, and converts
// what its out parameters give, or rebuilds the matrices in it.
func (w *writer) converting(name string, x *tree.Call) string {
	var params, args []string
	before, after := "", ""
	for i, p := range x.Func.Params {
		t, arg := p.Type, fmt.Sprintf("%sa%d", reserved, i)
		given := fmt.Sprintf("%sg%d", reserved, i)
		if storesMatrix(p.Mode, x.Args[i].X) {
			before += w.typeName(t) + " " + given
			if p.Mode == tree.ModeInOut {
				before += " = " + arg
			}
			before += "; "
			after += fmt.Sprintf("%s = %s; ", arg, columns(w, t, given))
			params, args = append(params, fmt.Sprintf("%s %s %s", p.Mode, w.typeName(t), arg)), append(args, given)
			continue
		}
		if to := x.Args[i].X.Type(); p.Mode == tree.ModeOut && !to.Equal(t) {
			before += fmt.Sprintf("%s %s; ", w.typeName(t), given)
			after += fmt.Sprintf("%s = %s; ", arg, w.converted(t, to, given))
			params, args = append(params, fmt.Sprintf("out %s %s", w.typeName(to), arg)), append(args, given)
			continue
		}
		params, args = append(params, fmt.Sprintf("%s %s %s", p.Mode, w.typeName(t), arg)), append(args, arg)
	}
	call := w.names.function(x.Func) + "(" + strings.Join(args, ", ") + ")"
	result := w.typeName(x.Func.Result)
	if x.Func.Result != tree.Void {
		call, after = result+" "+reserved+"r = "+call, after+"return "+reserved+"r; "
	}
	return fmt.Sprintf("%s %s(%s) { %s%s; %s}", result, name, strings.Join(params, ", "), before, call, after)
}

// converted writes the conversion of a scalar or vector.
func (w *writer) converted(from, to *tree.Type, text string) string {
	if name, ok := conversions[[2]tree.Kind{from.Kind, to.Kind}]; ok {
		return w.prelude.Call(name, to.Width) + "(" + text + ")"
	}
	return w.typeName(to) + "(" + text + ")"
}
