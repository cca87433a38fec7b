package emit

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/tree"
)

// openDivision names the function for a division or remainder of integers, "" when GLSL defines it for
// the divisor y.
func openDivision(op tree.BinaryOp, y tree.Expr) string {
	k := y.Type().Kind
	if op != tree.Div && op != tree.Mod || !k.IsInteger() {
		return ""
	}
	if c, ok := y.(*tree.Const); ok && defines(op, k, c.Bits) {
		return ""
	}
	return map[tree.BinaryOp]string{tree.Div: "div", tree.Mod: "mod"}[op] + integerNames[k]
}

// integerNames are the ends of the names of functions on integers.
var integerNames = map[tree.Kind]string{tree.KindInt: "Int", tree.KindUint: "Uint", tree.KindInt64: "Int64", tree.KindUint64: "Uint64"}

// defines reports whether GLSL defines the result for a constant divisor and every dividend. It leaves
// the remainder of a negative int open.
func defines(op tree.BinaryOp, k tree.Kind, divisor []uint32) bool {
	if k.Words() == 2 {
		return false
	}
	for _, d := range divisor {
		if d == 0 || k == tree.KindInt && (op == tree.Mod || int32(d) == -1) {
			return false
		}
	}
	return true
}

// amount writes the right operand of a shift of a component of kind k: five or six bits of it count.
func (w *writer) amount(k tree.Kind, y tree.Expr) string {
	bits := uint32(32 * k.Words())
	if c, ok := y.(*tree.Const); ok && slices.Max(c.Bits) < bits {
		return w.expr(y)
	}
	suffix := ""
	if y.Type().Kind == tree.KindUint {
		suffix = "u"
	}
	return fmt.Sprintf("(%s & %d%s)", w.expr(y), bits-1, suffix)
}

// integerBinary writes an operator on integers that GLSL leaves open for some operands.
func (w *writer) integerBinary(x *tree.Binary) (text string, ok bool) {
	if x.Op.IsShift() {
		return fmt.Sprintf("(%s %s %s)", w.expr(x.X), x.Op, w.amount(x.T.Kind, x.Y)), true
	}
	if name := openDivision(x.Op, x.Y); name != "" {
		return w.call(name, x.X.Type(), w.expr(x.X), w.expr(x.Y)), true
	}
	return "", false
}

// operand writes an operand of an operator on integers. NVIDIA's compiler (580.159) makes -i of i * -1, which it gets wrong (unary), so it does
// not see a factor of -1.
func operand(w *writer, op tree.BinaryOp, e tree.Expr) string {
	if c, ok := e.(*tree.Const); ok && op == tree.Mul && e.Type().Kind.IsInteger32() && slices.Contains(c.Bits, 0xffffffff) {
		return w.hidden(e)
	}
	return w.raw(e)
}

// integerAssign writes a compound assignment on integers.
func (w *writer) integerAssign(x *tree.Assign) string {
	place := w.place(x.Target)
	if x.Op.IsShift() {
		return fmt.Sprintf("%s %s= %s", place, x.Op, w.amount(x.T.Kind, x.Value))
	}
	name := openDivision(x.Op, x.Value)
	switch {
	case name == "":
		return fmt.Sprintf("%s %s= %s", place, x.Op, operand(w, x.Op, x.Value))
	case changes(x.Value) || changes(x.Target):
		return w.call(name+"To", x.T, place, w.expr(x.Value))
	default:
		return fmt.Sprintf("%s = %s", place, w.call(name, x.T, w.expr(x.Target), w.expr(x.Value)))
	}
}

// integerBuiltins names the functions for built-in ones on integers that GLSL leaves open for some
// arguments, or that drivers get wrong (see mulHigh in the prelude), by the kind of the first argument.
var integerBuiltins = map[tree.BuiltinID]map[tree.Kind]string{
	tree.FnBitfieldExtract: {tree.KindInt: "extractInt", tree.KindUint: "extractUint"},
	tree.FnBitfieldInsert:  {tree.KindInt: "insertInt", tree.KindUint: "insertUint"},
	tree.FnUmulExtended:    {tree.KindUint: "umulExtended"},
	tree.FnImulExtended:    {tree.KindInt: "imulExtended"},
	tree.FnAbs:             {tree.KindInt: "absInt", tree.KindInt64: "absInt64"},
	tree.FnSign:            {tree.KindInt64: "signInt64"},
	tree.FnMin:             {tree.KindInt64: "minInt64", tree.KindUint64: "minUint64"},
	tree.FnMax:             {tree.KindInt64: "maxInt64", tree.KindUint64: "maxUint64"},
	tree.FnClamp:           {tree.KindInt64: "clampInt64", tree.KindUint64: "clampUint64"},
	tree.FnMin3:            {tree.KindInt: "min3Int", tree.KindUint: "min3Uint"},
	tree.FnMid3:            {tree.KindInt: "mid3Int", tree.KindUint: "mid3Uint"},
	tree.FnMax3:            {tree.KindInt: "max3Int", tree.KindUint: "max3Uint"},
	tree.FnFindMSB:         {tree.KindUint: "msbUint"},
	tree.FnFindLSB:         {tree.KindUint: "lsbUint"},
	tree.FnBitCount:        {tree.KindUint: "countUint"},
}

// integerBuiltin writes a call of one of integerBuiltins.
func (w *writer) integerBuiltin(x *tree.BuiltinCall) (text string, ok bool) {
	byKind := integerBuiltins[x.Builtin.ID]
	if byKind == nil || isField(x) {
		return "", false
	}
	t := x.Args[0].X.Type()
	name := byKind[t.Kind]
	if name == "" {
		return "", false
	}
	args := make([]string, len(x.Args))
	for i := range x.Args {
		args[i] = w.expr(x.Args[i].X)
		if to := tree.Vector(x.Args[i].X.Type().Kind, t.Width); to.Width > x.Args[i].X.Type().Width {
			args[i] = w.typeName(to) + "(" + args[i] + ")"
		}
	}
	return w.prelude.Call(name, t.Width) + "(" + strings.Join(args, ", ") + ")", true
}

// isField reports whether a bit field is constant and within the word.
func isField(x *tree.BuiltinCall) bool {
	n := len(x.Args)
	if x.Builtin.ID != tree.FnBitfieldExtract && x.Builtin.ID != tree.FnBitfieldInsert {
		return false
	}
	offset, ok1 := x.Args[n-2].X.(*tree.Const)
	bits, ok2 := x.Args[n-1].X.(*tree.Const)
	return ok1 && ok2 && offset.Bits[0] < 32 && bits.Bits[0] <= 32-offset.Bits[0]
}
