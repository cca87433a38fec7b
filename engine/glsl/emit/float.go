package emit

import (
	"fmt"
	"strconv"
	"strings"

	"vyretop/engine/glsl/tree"
)

// floatBinary names the functions of arithmetic operators on floats.
var floatBinary = map[tree.BinaryOp]string{tree.Add: "add", tree.Sub: "sub", tree.Mul: "mul", tree.Div: "div"}

// floatBuiltin is how a built-in function on floats is written.
type floatBuiltin struct {
	name string
	// wide: the function takes vectors as a whole, and its name ends in their width.
	wide bool
	// raw: the result may be a NaN of any bits; else it has the canonical ones.
	raw bool
}

// floatBuiltins holds the built-in functions that the prelude computes when their first argument or
// their result is a float. The others are left to the driver.
var floatBuiltins = map[tree.BuiltinID]floatBuiltin{
	tree.FnRadians: {name: "radians", raw: true}, tree.FnDegrees: {name: "degrees", raw: true},
	tree.FnSin: {name: "sin"}, tree.FnCos: {name: "cos"}, tree.FnTan: {name: "tan"},
	tree.FnAsin: {name: "asin"}, tree.FnAcos: {name: "acos"}, tree.FnAtan: {name: "atan"},
	tree.FnSinh: {name: "sinh"}, tree.FnCosh: {name: "cosh"}, tree.FnTanh: {name: "tanh"},
	tree.FnAsinh: {name: "asinh", raw: true}, tree.FnAcosh: {name: "acosh"}, tree.FnAtanh: {name: "atanh"},
	tree.FnPow: {name: "pow"}, tree.FnExp: {name: "exp"}, tree.FnLog: {name: "log"},
	tree.FnExp2: {name: "exp2"}, tree.FnLog2: {name: "log2"},
	tree.FnSqrt: {name: "sqrt"}, tree.FnInverseSqrt: {name: "inverseSqrt"},

	tree.FnAbs: {name: "abs", raw: true}, tree.FnSign: {name: "sign", raw: true},
	tree.FnFloor: {name: "floor", raw: true}, tree.FnTrunc: {name: "trunc", raw: true},
	tree.FnRound: {name: "roundEven", raw: true}, tree.FnRoundEven: {name: "roundEven", raw: true},
	tree.FnCeil: {name: "ceil", raw: true}, tree.FnFract: {name: "fract", raw: true},
	tree.FnModFloat: {name: "mod", raw: true}, tree.FnModf: {name: "modf"},
	tree.FnMin: {name: "min", raw: true}, tree.FnMax: {name: "max", raw: true}, tree.FnClamp: {name: "clamp", raw: true},
	tree.FnMin3: {name: "min3", raw: true}, tree.FnMid3: {name: "mid3", raw: true}, tree.FnMax3: {name: "max3", raw: true},
	tree.FnMix: {name: "mix", raw: true}, tree.FnStep: {name: "step"}, tree.FnSmoothStep: {name: "smoothStep", raw: true},
	tree.FnIsNaN: {name: "isNaN"}, tree.FnIsInf: {name: "isInf"},
	tree.FnFma: {name: "fma", raw: true}, tree.FnFrexp: {name: "frexp"}, tree.FnLdexp: {name: "ldexp", raw: true},

	tree.FnPackUnorm2x16: {name: "packUnorm2x16"}, tree.FnPackSnorm2x16: {name: "packSnorm2x16"},
	tree.FnPackUnorm4x8: {name: "packUnorm4x8"}, tree.FnPackSnorm4x8: {name: "packSnorm4x8"},
	tree.FnPackHalf2x16:    {name: "packHalf2x16"},
	tree.FnUnpackUnorm2x16: {name: "unpackUnorm2x16"}, tree.FnUnpackSnorm2x16: {name: "unpackSnorm2x16"},
	tree.FnUnpackUnorm4x8: {name: "unpackUnorm4x8"}, tree.FnUnpackSnorm4x8: {name: "unpackSnorm4x8"},
	tree.FnUnpackHalf2x16: {name: "unpackHalf2x16"},

	tree.FnDot: {name: "dot", wide: true, raw: true}, tree.FnLength: {name: "length", wide: true, raw: true},
	tree.FnDistance: {name: "length", wide: true, raw: true}, tree.FnNormalize: {name: "over"},
	tree.FnCross: {name: "cross", raw: true},

	tree.FnLessThan: {name: "less"}, tree.FnLessThanEqual: {name: "lessEqual"},
	tree.FnGreaterThan: {name: "greater"}, tree.FnGreaterThanEqual: {name: "greaterEqual"},
	tree.FnEqualVec: {name: "equal"}, tree.FnNotEqualVec: {name: "notEqual"},
}

// bitCasts are the functions that make floats of bits.
var bitCasts = map[tree.BuiltinID]bool{tree.FnIntBitsToFloat: true, tree.FnUintBitsToFloat: true}

// fixedTypes are the functions of the prelude that take vectors of one width only.
var fixedTypes = map[tree.BuiltinID]bool{
	tree.FnPackUnorm2x16: true, tree.FnPackSnorm2x16: true, tree.FnPackUnorm4x8: true, tree.FnPackSnorm4x8: true,
	tree.FnPackHalf2x16: true, tree.FnUnpackUnorm2x16: true, tree.FnUnpackSnorm2x16: true, tree.FnUnpackUnorm4x8: true,
	tree.FnUnpackSnorm4x8: true, tree.FnUnpackHalf2x16: true, tree.FnCross: true,
}

// ofKind is the name of a function on floats, or the one on doubles.
func ofKind(name string, k tree.Kind) string {
	if k == tree.KindDouble {
		return name + doubleEnd
	}
	return name
}

// floatCall says whether the prelude computes a call, and how.
func floatCall(x *tree.BuiltinCall) (floatBuiltin, bool) {
	f, ok := floatBuiltins[x.Builtin.ID]
	if !ok || !x.T.Kind.IsFloat() && !x.Args[0].X.Type().Kind.IsFloat() {
		return floatBuiltin{}, false
	}
	selects := x.Builtin.ID == tree.FnMix && x.Args[2].X.Type().Kind == tree.KindBool
	return f, !selects
}

// mayBeNaN reports whether raw may write a float whose NaN arithmetic made and that has other bits
// than the canonical ones.
func (w *writer) mayBeNaN(e tree.Expr) bool {
	if !e.Type().Kind.IsFloat() {
		return false
	}
	switch x := e.(type) {
	case *tree.Splat:
		return w.mayBeNaN(x.X)
	case *tree.Unary:
		return x.Op == tree.Neg
	case *tree.Binary:
		return x.Op != tree.Div && !x.X.Type().Matrix && !x.Y.Type().Matrix
	case *tree.BuiltinCall:
		f, ok := floatCall(x)
		return ok && f.raw
	default:
		return false
	}
}

// call writes a call of the prelude's function for operands of type t.
func (w *writer) call(name string, t *tree.Type, args ...string) string {
	return w.prelude.Call(ofKind(name, t.Kind), t.Width) + "(" + strings.Join(args, ", ") + ")"
}

// builtin writes the call of a built-in function.
func (w *writer) builtin(x *tree.BuiltinCall) string {
	if text, ok := w.integerBuiltin(x); ok {
		return text
	}
	if x.Builtin.Family == tree.FamilySubgroup {
		return subgroup(w, x)
	}
	if matrixBuiltins[x.Builtin.ID] {
		return matrixBuiltin(w, x)
	}
	if x.Builtin.ID == tree.FnBarrier {
		return w.prelude.Call("barrier", 1) + "()"
	}
	f, ok := floatCall(x)
	if bitCasts[x.Builtin.ID] {
		return x.Builtin.Name + "(" + w.hidden(x.Args[0].X) + ")"
	}
	if x.Builtin.ID == tree.FnPackDouble2x32 {
		return w.prelude.Call(x.Builtin.Name, 1) + "(" + w.expr(x.Args[0].X) + ")"
	}
	if x.Builtin.ID == tree.FnMix && !ok {
		return w.chosen(x)
	}
	if !ok {
		return x.Builtin.Name + "(" + w.evenArgs(x) + ")"
	}
	width, kind := 1, x.Args[0].X.Type().Kind
	for i := range x.Args {
		width = max(width, x.Args[i].X.Type().Width)
	}
	args := make([]string, len(x.Args))
	for i := range x.Args {
		args[i] = w.widened(&x.Args[i], width)
	}
	if x.Builtin.ID == tree.FnPackHalf2x16 {
		args[0] = w.expr(x.Args[0].X) // the only function whose result shows the sign of a NaN
	}
	switch {
	case x.Builtin.ID == tree.FnAtan && len(args) == 2:
		f.name = "atan2"
	case x.Builtin.ID == tree.FnDistance:
		args = []string{w.prelude.Call(ofKind("sub", kind), width) + "(" + strings.Join(args, ", ") + ")"}
	case x.Builtin.ID == tree.FnNormalize:
		args = append(args, norm(w, x.T, args[0]))
	}
	if f.wide {
		f.name += strconv.Itoa(width)
	}
	if f.wide || fixedTypes[x.Builtin.ID] {
		width = 1
	}
	return w.prelude.Call(ofKind(f.name, kind), width) + "(" + strings.Join(args, ", ") + ")"
}

// norm writes the length of a vector, as what divides it: functions on doubles take one for each component.
func norm(w *writer, t *tree.Type, vector string) string {
	text := w.prelude.Call(ofKind("length"+strconv.Itoa(t.Width), t.Kind), 1) + "(" + vector + ")"
	if t.Kind == tree.KindDouble {
		return w.typeName(t) + "(" + text + ")"
	}
	return text
}

// widened writes an argument, a scalar repeated to the width of the others.
func (w *writer) widened(a *tree.Arg, width int) string {
	t := a.X.Type()
	switch {
	case a.Mode != tree.ModeIn:
		return w.place(a.X)
	case t.Width < width:
		return fmt.Sprintf("%s(%s)", w.typeName(tree.Vector(t.Kind, width)), w.hidden(a.X))
	default:
		return w.hidden(a.X)
	}
}

// conversions names the functions that convert floats.
var conversions = map[[2]tree.Kind]string{
	{tree.KindFloat, tree.KindInt}: "toInt", {tree.KindFloat, tree.KindUint}: "toUint", {tree.KindFloat, tree.KindBool}: "toBool",
	{tree.KindDouble, tree.KindInt}: "toIntD", {tree.KindDouble, tree.KindUint}: "toUintD", {tree.KindDouble, tree.KindBool}: "toBoolD",
	{tree.KindInt, tree.KindDouble}: "fromIntD", {tree.KindUint, tree.KindDouble}: "fromUintD", {tree.KindBool, tree.KindDouble}: "fromBoolD",
	{tree.KindFloat, tree.KindDouble}: "toDouble", {tree.KindDouble, tree.KindFloat}: "toFloat",
	{tree.KindDouble, tree.KindInt64}: "toInt64", {tree.KindDouble, tree.KindUint64}: "toUint64",
	{tree.KindInt64, tree.KindDouble}: "fromInt64D", {tree.KindUint64, tree.KindDouble}: "fromUint64D",
	{tree.KindFloat, tree.KindInt64}: "floatToInt64", {tree.KindFloat, tree.KindUint64}: "floatToUint64",
	{tree.KindInt64, tree.KindFloat}: "fromInt64", {tree.KindUint64, tree.KindFloat}: "fromUint64",
	{tree.KindInt, tree.KindFloat}: "fromInt", {tree.KindUint, tree.KindFloat}: "fromUint", {tree.KindBool, tree.KindFloat}: "fromBool",
}

func (w *writer) convert(x *tree.Convert) string {
	if x.T.Matrix {
		return matrixFrom(w, x)
	}
	if name, ok := conversions[[2]tree.Kind{x.X.Type().Kind, x.T.Kind}]; ok {
		return w.prelude.Call(name, x.T.Width) + "(" + w.hidden(x.X) + ")"
	}
	return w.converted(x.X.Type(), x.T, w.raw(x.X))
}

// hidden writes an operand from which a float is made. An integer that the compiler may know is hidden
// from it, as all float constants are.
func (w *writer) hidden(e tree.Expr) string {
	t, text := e.Type(), w.raw(e)
	switch {
	case w.memory.unforeseen(e):
		return text
	case t.Kind == tree.KindUint:
		return w.call("hideUint", t, text)
	case t.Kind == tree.KindInt:
		return w.call("hideInt", t, text)
	default:
		return text
	}
}

// inMemory reports whether e is in a buffer or a shared variable.
func inMemory(e tree.Expr) bool {
	switch root := tree.Root(e).(type) {
	case *tree.BufferRef:
		return true
	case *tree.VarRef:
		return root.Var.Kind == tree.VarShared
	default:
		return false
	}
}

// comparisons names the functions that compare floats on a device whose own operators may not do.
var comparisons = map[tree.BinaryOp]string{
	tree.Less: "less", tree.LessEqual: "lessEqual", tree.Greater: "greater", tree.GreaterEqual: "greaterEqual",
	tree.Equal: "equal", tree.NotEqual: "notEqual",
}

// guards reports whether x compares floats and is not left to the device: an order never, because of NaN
// (see less in package emit), an equality where the device may flush denormals.
func (w *writer) guards(x *tree.Binary) bool {
	if x.Op.IsRelational() {
		return x.OperandKind().IsFloat()
	}
	if x.Op.IsEquality() && hasRowsOfArrays(x.X.Type()) {
		return true
	}
	compares := x.Op.IsEquality() && hasFloat(x.X.Type())
	w.equality = w.equality || compares
	return compares && (!w.prelude.Device.IEEE || hasKind(x.X.Type(), tree.KindDouble))
}

// guarded writes a comparison by functions.
func (w *writer) guarded(x *tree.Binary) string {
	switch t := x.X.Type(); x.Op {
	case tree.Equal:
		return w.same(t, w.raw(x.X), w.raw(x.Y))
	case tree.NotEqual:
		return "(!" + w.same(t, w.raw(x.X), w.raw(x.Y)) + ")"
	default:
		return w.call(comparisons[x.Op], t, w.raw(x.X), w.raw(x.Y))
	}
}
