package emit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"vyretop/engine/glsl/tree"
)

// term is a float, a double or a vector of them in the body of a helper: a name, or what selects a component.
type term struct {
	text string
	n    int
}

// terms writes the statements of a helper: it is the tree.MatrixOps of the text.
type terms struct {
	w    *writer
	body strings.Builder
	n    int // names so far

	kind  tree.Kind // of the components
	moves bool      // the value is made of the components of others, which keep their bits
}

// let names a value.
func (o *terms) let(n int, text string) term {
	name := fmt.Sprintf("t%d", o.n)
	o.n++
	fmt.Fprintf(&o.body, "%s %s = %s; ", tree.Vector(o.kind, n), name, text)
	return term{name, n}
}

func (o *terms) Arithmetic(op tree.BinaryOp, a, b term) term {
	return o.let(a.n, o.function(floatBinary[op], a.n)+"("+a.text+", "+b.text+")")
}

func (o *terms) Dot(a, b term) term {
	return o.let(1, o.function("dot"+strconv.Itoa(a.n), 1)+"("+a.text+", "+b.text+")")
}

func (o *terms) Splat(a term, width int) term {
	return term{fmt.Sprintf("%s(%s)", tree.Vector(o.kind, width), a.text), width}
}

func (o *terms) Component(a term, i int) term {
	if a.n == 1 {
		return a
	}
	return term{a.text + "." + "xyzw"[i:i+1], 1}
}

func (o *terms) Compose(parts ...term) term {
	n, list := 0, make([]string, len(parts))
	for i, p := range parts {
		list[i] = p.text
		n += p.n
	}
	return o.let(n, fmt.Sprintf("%s(%s)", tree.Vector(o.kind, n), strings.Join(list, ", ")))
}

func (o *terms) Neg(a term) term {
	return o.let(a.n, o.function("nan", a.n)+"("+o.function("neg", a.n)+"("+a.text+"))")
}

func (o *terms) Sqrt(a term) term { return o.let(1, o.function("sqrt", 1)+"("+a.text+")") }

func (o *terms) Less(a, b, x, y term) term {
	return o.let(x.n, fmt.Sprintf("%s(%s, %s) ? %s : %s", o.function("less", 1), a.text, b.text, x.text, y.text))
}

func (o *terms) Constant(f float32) term { return term{numberOf(o.w, o.kind, f), 1} }

// function adds a function on floats or doubles, by the kind of the components.
func (o *terms) function(name string, width int) string {
	return o.w.prelude.Call(ofKind(name, o.kind), width)
}

// number writes a constant of kind float or double.
func numberOf(w *writer, k tree.Kind, f float32) string {
	if k == tree.KindDouble {
		return w.component(k, tree.Split(math.Float64bits(float64(f))))
	}
	return w.float(math.Float32bits(f))
}

// columnTerms are the columns of the matrix called name; another value is one.
func columnTerms(t *tree.Type, name string) []term {
	if !t.Matrix {
		return []term{{name, t.Width}}
	}
	list := make([]term, t.Len)
	for i := range list {
		list[i] = term{fmt.Sprintf("%s[%d]", name, i), t.Elem.Width}
	}
	return list
}

// result writes the value of a helper: its columns, whose NaN get the canonical bits where arithmetic may have made them.
func (o *terms) result(t *tree.Type, columns []term) string {
	list := make([]string, len(columns))
	for i, c := range columns {
		if list[i] = c.text; !o.moves {
			list[i] = o.function("nan", c.n) + "(" + c.text + ")"
		}
	}
	if !t.Matrix {
		return list[0]
	}
	return t.String() + "(" + strings.Join(list, ", ") + ")"
}

// matrixHelper writes a function of values called x0, x1 and so on, and returns its name.
func matrixHelper(w *writer, key string, result *tree.Type, params []*tree.Type, compute func(o *terms, args [][]term) []term) string {
	result = plain(result)
	for _, p := range params {
		key += " " + p.String()
	}
	return w.helper(key, func(name string) string {
		o := &terms{w: w, kind: params[0].ComponentKind()}
		args, heads := make([][]term, len(params)), make([]string, len(params))
		for i, p := range params {
			x := fmt.Sprintf("x%d", i)
			args[i], heads[i] = columnTerms(p, x), p.String()+" "+x
		}
		columns := compute(o, args)
		value := o.result(result, columns)
		return fmt.Sprintf("%s %s(%s) { %sreturn %s; }", result, name, strings.Join(heads, ", "), o.body.String(), value)
	})
}

// plain is a matrix type without a layout.
func plain(t *tree.Type) *tree.Type {
	if t.Matrix {
		return tree.Matrix(t.Elem.Kind, t.Len, t.Elem.Width)
	}
	return t
}

// matrixOperator names the function of an operator on values of which one is a matrix.
func matrixOperator(w *writer, op tree.BinaryOp, tx, ty, result *tree.Type) string {
	return matrixHelper(w, "matrix "+op.String(), result, []*tree.Type{tx, ty}, func(o *terms, args [][]term) []term {
		return tree.MatrixBinary[term](o, op, tx, ty, args[0], args[1])
	})
}

func matrixBinary(w *writer, x *tree.Binary) string {
	return matrixOperator(w, x.Op, x.X.Type(), x.Y.Type(), x.T) + "(" + w.expr(x.X) + ", " + w.expr(x.Y) + ")"
}

func matrixNegated(w *writer, x *tree.Unary) string {
	return matrixHelper(w, "matrix negated", x.T, []*tree.Type{x.T}, func(o *terms, args [][]term) []term {
		return tree.MatrixNegated[term](o, args[0])
	}) + "(" + w.expr(x.X) + ")"
}

// matrixFrom writes the constructor of a matrix from a float, which is on its diagonal, or from another matrix. The 0 and 1
// beside it are hidden from the compiler, as all float constants are: Mesa (22.3) drops the addition of a 0 that it knows.
func matrixFrom(w *writer, x *tree.Convert) string {
	to, from := plain(x.T), plain(x.X.Type())
	if from.Matrix && from.Elem.Kind == to.Elem.Kind && from.Len >= to.Len && from.Elem.Width >= to.Elem.Width {
		return to.String() + "(" + w.expr(x.X) + ")"
	}
	name := w.helper("matrix "+to.String()+" from "+from.String(), func(name string) string {
		var parts []string
		for column := range to.Len {
			for row := range to.Elem.Width {
				parts = append(parts, matrixPart(w, from, to.Elem.Kind, column, row))
			}
		}
		return fmt.Sprintf("%s %s(%s x) { return %s(%s); }", to, name, from, to, strings.Join(parts, ", "))
	})
	return name + "(" + w.expr(x.X) + ")"
}

// matrixPart writes a component of a matrix that is made of x (section 5.4.2).
func matrixPart(w *writer, from *tree.Type, k tree.Kind, column, row int) string {
	switch {
	case from.Matrix && column < from.Len && row < from.Elem.Width:
		part := fmt.Sprintf("x[%d][%d]", column, row)
		if from.Elem.Kind != k {
			return w.converted(from.Elem.Element(), tree.Vector(k, 1), part)
		}
		return part
	case column != row:
		return numberOf(w, k, 0)
	case from.Matrix:
		return numberOf(w, k, 1)
	default:
		return "x"
	}
}

// matrixAssign writes a compound assignment with a matrix on one side. A helper changes the target, which is found once.
func matrixAssign(w *writer, target, value *tree.Type, op tree.BinaryOp, place, operand string) string {
	operator := matrixOperator(w, op, target, value, target)
	t := w.typeName(target)
	name := w.helper(fmt.Sprintf("matrix %s= %s %s", op, t, value), func(name string) string {
		return fmt.Sprintf("%s %s(inout %s p, %s v) { p = %s(p, v); return p; }", t, name, t, w.typeName(value), operator)
	})
	return name + "(" + place + ", " + operand + ")"
}

// matrixStep writes ++ or -- of a matrix.
func matrixStep(w *writer, x *tree.IncDec) string {
	op := tree.Add
	if x.Dec {
		op = tree.Sub
	}
	scalar := x.T.Elem.Element()
	one := w.one(scalar)
	if x.Prefix {
		return matrixAssign(w, x.T, scalar, op, w.place(x.X), one)
	}
	operator := matrixOperator(w, op, x.T, scalar, x.T)
	t := w.typeName(x.T)
	name := w.helper(fmt.Sprintf("matrix after %s %s", op, t), func(name string) string {
		return fmt.Sprintf("%s %s(inout %s p, %s v) { %s before = p; p = %s(p, v); return before; }", t, name, t, scalar, t, operator)
	})
	return name + "(" + w.place(x.X) + ", " + one + ")"
}

// matrixBuiltins are the functions that package tree says how to compute.
var matrixBuiltins = map[tree.BuiltinID]bool{
	tree.FnFaceForward: true, tree.FnReflect: true, tree.FnRefract: true, tree.FnMatrixCompMult: true,
	tree.FnOuterProduct: true, tree.FnTranspose: true, tree.FnDeterminant: true, tree.FnInverse: true,
}

func matrixBuiltin(w *writer, x *tree.BuiltinCall) string {
	var params []*tree.Type
	for i := range x.Args {
		params = append(params, plain(x.Args[i].X.Type()))
	}
	return matrixHelper(w, "matrix "+x.Builtin.Name, x.T, params, func(o *terms, args [][]term) []term {
		o.moves = x.Builtin.ID == tree.FnTranspose || x.Builtin.ID == tree.FnFaceForward
		return tree.MatrixCall[term](o, x.Builtin.ID, plain(x.T), args)
	}) + "(" + w.args(x.Args) + ")"
}
