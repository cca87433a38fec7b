package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"
)

// floatLiteral hides the constant as package emit explains; a double is hidden by veiled, where it
// matters.
func floatLiteral(f float32) string {
	return fmt.Sprintf("vt_f_constant(0x%xu)", math.Float32bits(f))
}

func doubleLiteral(f float64) string {
	b := math.Float64bits(f)
	return fmt.Sprintf("packDouble2x32(uvec2(0x%xu, 0x%xu))", uint32(b), b>>32)
}

// expr writes an expression that needs no brackets around it.
func (t *translator) expr(e ast.Expr) string {
	if tv := t.info.Types[e]; tv.Value != nil {
		return t.literal(e, tv.Value, tv.Type)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return local(e.Name)
	case *ast.ParenExpr:
		return t.expr(e.X)
	case *ast.SelectorExpr:
		return t.expr(e.X) + "." + local(e.Sel.Name)
	case *ast.IndexExpr:
		table, ok := e.X.(*ast.Ident)
		if !ok {
			return t.refuse(e, "only a table can be indexed")
		}
		return fmt.Sprintf("%s[%s]", global(table.Name), t.expr(e.Index))
	case *ast.CompositeLit:
		return fmt.Sprintf("%s(%s)", t.typeName(e, t.info.TypeOf(e)), t.list(e.Elts))
	case *ast.UnaryExpr:
		op := e.Op.String()
		if e.Op == token.XOR {
			op = "~"
		}
		return fmt.Sprintf("(%s%s)", op, t.expr(e.X))
	case *ast.BinaryExpr:
		return t.binary(e)
	case *ast.CallExpr:
		return t.call(e)
	default:
		return t.refuse(e, "this expression cannot be translated")
	}
}

// list writes arguments.
func (t *translator) list(list []ast.Expr) string {
	parts := make([]string, len(list))
	for i, e := range list {
		t.bare(e)
		parts[i] = t.expr(e)
	}
	return strings.Join(parts, ", ")
}

// floatCalls are the functions for operators on float32: what a device does with them is the
// prelude's business. A > B is written B < A.
var floatCalls = map[token.Token]string{
	token.ADD: "vt_f_add(%s, %s)", token.SUB: "vt_f_sub(%s, %s)", token.MUL: "vt_f_mul(%s, %s)",
	token.LSS: "vt_f_less(%s, %s)", token.GTR: "vt_f_less(%[2]s, %[1]s)",
	token.LEQ: "vt_f_lessEqual(%s, %s)", token.GEQ: "vt_f_lessEqual(%[2]s, %[1]s)",
	token.EQL: "vt_f_equal(%s, %s)", token.NEQ: "!vt_f_equal(%s, %s)",
}

func (t *translator) binary(e *ast.BinaryExpr) string {
	of := t.info.TypeOf(e.X)
	if (e.Op == token.ADD || e.Op == token.SUB) && isFloat(of) {
		t.rounded(e.X)
		t.rounded(e.Y)
	}
	x, y := t.expr(e.X), t.expr(e.Y)
	switch {
	case isKind(of, types.Float32):
		format, ok := floatCalls[e.Op]
		if !ok {
			return t.refuse(e, "the operator %s on float32 cannot be translated", e.Op)
		}
		return fmt.Sprintf(format, x, y)
	case isKind(of, types.Float64) && e.Op == token.QUO:
		return t.refuse(e, "drivers divide inexactly")
	case e.Op == token.AND_NOT:
		return fmt.Sprintf("(%s & ~%s)", x, y)
	default:
		return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
	}
}

// rounded refuses a product that a compiler may fuse with the sum it is part of.
func (t *translator) rounded(e ast.Expr) {
	if p, ok := e.(*ast.ParenExpr); ok {
		t.rounded(p.X)
	}
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.MUL && t.info.Types[e].Value == nil {
		t.refuse(e, "a compiler may fuse this product with the sum: convert it")
	}
}

func (t *translator) call(e *ast.CallExpr) string {
	if t.info.Types[e.Fun].IsType() {
		return t.conversion(e)
	}
	name, ok := e.Fun.(*ast.Ident)
	if _, isFunc := t.info.Uses[name].(*types.Func); !ok || !isFunc {
		return t.refuse(e, "only functions of the package can be called")
	}
	return fmt.Sprintf("%s(%s)", global(name.Name), t.list(e.Args))
}

// conversion: one of a float to itself rounds, which precise does anyway; int and uint share bits.
func (t *translator) conversion(e *ast.CallExpr) string {
	from, to := t.info.TypeOf(e.Args[0]), t.info.TypeOf(e)
	switch {
	case isFloat(from) && types.Identical(from, to):
		return t.expr(e.Args[0])
	case isKind(from, types.Int32, types.Uint32) && isKind(to, types.Int32, types.Uint32):
		return fmt.Sprintf("%s(%s)", t.typeName(e, to), t.expr(e.Args[0]))
	default:
		return t.refuse(e, "the conversion from %s to %s cannot be translated", from, to)
	}
}
