package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

func (t *translator) file(f *ast.File) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			t.function(d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				t.spec(spec)
			}
		}
	}
}

func (t *translator) spec(spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		t.structure(s)
	case *ast.ValueSpec:
		if len(s.Names) == 1 && len(s.Values) == 1 && t.info.Types[s.Values[0]].Value == nil {
			t.table(s)
		}
	}
}

func (t *translator) structure(s *ast.TypeSpec) {
	body, ok := s.Type.(*ast.StructType)
	if !ok {
		t.refuse(s, "only structures can be translated")
		return
	}
	t.line("\nstruct %s {", global(s.Name.Name))
	for _, f := range body.Fields.List {
		for _, name := range f.Names {
			t.line("\t%s %s;", t.typeName(f, t.info.TypeOf(f.Type)), local(name.Name))
		}
	}
	t.line("};")
}

// table writes an array of constants.
func (t *translator) table(s *ast.ValueSpec) {
	lit, ok := s.Values[0].(*ast.CompositeLit)
	array, isArray := t.info.TypeOf(s.Values[0]).(*types.Array)
	if !ok || !isArray {
		t.refuse(s, "only arrays can be variables of the package")
		return
	}
	elem := t.typeName(s, array.Elem())
	t.line("\nconst %s %s[%d] = %s[%d](%s);", elem, global(s.Names[0].Name), array.Len(), elem, array.Len(), t.list(lit.Elts))
}

func (t *translator) function(d *ast.FuncDecl) {
	sig := t.info.Defs[d.Name].Type().(*types.Signature)
	if d.Recv != nil || sig.Results().Len() != 1 {
		t.refuse(d, "only functions with one result can be translated")
		return
	}
	if t.names[global(d.Name.Name)] {
		t.refuse(d, "another function becomes %s", global(d.Name.Name))
	}
	t.names[global(d.Name.Name)] = true
	t.result = sig.Results().At(0).Type()
	var params []string
	for p := range sig.Params().Variables() {
		params = append(params, t.typeName(d, p.Type())+" "+local(p.Name()))
	}
	t.line("\n%s %s(%s) {", t.typeName(d, t.result), global(d.Name.Name), strings.Join(params, ", "))
	t.block(d.Body)
	t.line("}")
}

func (t *translator) block(b *ast.BlockStmt) {
	t.indent++
	for _, s := range b.List {
		t.stmt(s)
	}
	t.indent--
}

func (t *translator) stmt(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			t.localSpec(spec)
		}
	case *ast.AssignStmt:
		t.assign(s)
	case *ast.IfStmt:
		t.ifStmt(s)
	case *ast.ReturnStmt:
		t.returnStmt(s)
	default:
		t.refuse(s, "this statement cannot be translated")
	}
}

// localSpec writes a variable without initializer; constants need no declaration.
func (t *translator) localSpec(spec ast.Spec) {
	s, ok := spec.(*ast.ValueSpec)
	if !ok || len(s.Names) != 1 {
		t.refuse(spec, "this declaration cannot be translated")
		return
	}
	if v, ok := t.info.Defs[s.Names[0]].(*types.Var); ok {
		name := t.typeName(s, v.Type())
		t.line("%s%s %s = %s(0);", precise(v.Type()), name, local(v.Name()), name)
	}
}

// precise is the qualifier of a variable that float arithmetic may flow into.
func precise(of types.Type) string {
	if isFloat(of) {
		return "precise "
	}
	return ""
}

func (t *translator) assign(s *ast.AssignStmt) {
	name, ok := s.Lhs[0].(*ast.Ident)
	if !ok || len(s.Lhs) != 1 || s.Tok != token.DEFINE && s.Tok != token.ASSIGN {
		t.refuse(s, "only one variable can be assigned, with = or :=")
		return
	}
	declare := ""
	if s.Tok == token.DEFINE {
		of := t.info.Defs[name].Type()
		declare = precise(of) + t.typeName(s, of) + " "
	}
	t.line("%s%s = %s;", declare, local(name.Name), t.expr(s.Rhs[0]))
}

func (t *translator) ifStmt(s *ast.IfStmt) {
	if s.Init != nil {
		t.refuse(s, "an if with a statement cannot be translated")
	}
	t.bare(s.Cond)
	t.line("if (%s) {", t.expr(s.Cond))
	t.block(s.Body)
	if s.Else != nil {
		t.line("} else {")
		t.block(s.Else.(*ast.BlockStmt))
	}
	t.line("}")
}

func (t *translator) returnStmt(s *ast.ReturnStmt) {
	e := s.Results[0]
	if !t.computes(e) {
		t.line("return %s;", t.expr(e))
		return
	}
	t.line("precise %s result_ = %s;", t.typeName(s, t.result), t.expr(e))
	t.line("return result_;")
}

// computes reports whether e is float64 arithmetic.
func (t *translator) computes(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && isKind(t.info.TypeOf(b), types.Float64) && t.info.Types[b].Value == nil
		return !found
	})
	return found
}

// bare refuses float64 arithmetic where precise does not reach.
func (t *translator) bare(e ast.Expr) {
	if t.computes(e) {
		t.refuse(e, "float64 arithmetic stands in a condition or an argument: give it a name first")
	}
}

// literal writes a constant of the given type; floats by their bits.
func (t *translator) literal(n ast.Node, v constant.Value, of types.Type) string {
	switch of.Underlying().(*types.Basic).Kind() {
	case types.Bool, types.UntypedBool:
		return v.String()
	case types.Uint32:
		u, _ := constant.Uint64Val(constant.ToInt(v))
		return fmt.Sprintf("0x%xu", u)
	case types.Float32:
		f, _ := constant.Float32Val(v)
		return floatLiteral(f)
	case types.Float64:
		f, _ := constant.Float64Val(v)
		return doubleLiteral(f)
	default:
		i, exact := constant.Int64Val(constant.ToInt(v))
		if !exact {
			return t.refuse(n, "the constant %s has no GLSL counterpart", v)
		}
		return fmt.Sprint(i)
	}
}
