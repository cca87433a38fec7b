package glsl

import (
	"strings"

	"vyretop/engine/glsl/preprocess"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxExpressionBytes bounds the text of an expression in scope.
const maxExpressionBytes = 4096

// Expression parses and checks an expression that reads what a kernel declares, as at a place where the
// variables of locals are in scope; a later one hides an earlier one. The error is a source.Diagnostics
// whose positions are in the text, line 1.
func Expression(text string, p *tree.Program, locals []*tree.Variable) (tree.Expr, error) {
	return inScope(text, p, locals, false)
}

// CheckExpression is the error of Expression for a text that is wrong wherever it stands: a name that nothing declares here may be
// declared elsewhere.
func CheckExpression(text string, p *tree.Program, locals []*tree.Variable) error {
	_, err := inScope(text, p, locals, true)
	return err
}

// inScope parses an expression. Unknown names are not reported if they may be those of another place.
func inScope(text string, p *tree.Program, locals []*tree.Variable, elsewhere bool) (tree.Expr, error) {
	if len(text) > maxExpressionBytes {
		return nil, source.Diagnostics{{Pos: source.Pos{File: "expression", Line: 1, Col: 1}, Message: "the expression is too long", Fix: "split it"}}
	}
	pre, diags := preprocess.Run(&source.File{Name: "expression", Text: text}, preprocess.Options{})
	if errs := diags.Errors(); len(errs) > 0 {
		return nil, errs
	}
	ps := newParser(pre, Options{})
	ps.prog, ps.skipped = &tree.Program{Formats: p.Formats}, elsewhere
	if p.Subgroup > 0 {
		ps.toks = withSubgroupInputs(ps.toks, p.Subgroup)
	}
	ps.int64, ps.inspecting = true, true
	ps.narrow = withKinds(nil, tree.NarrowKinds())
	ps.layout.localSize, ps.layout.sized = p.LocalSize, true
	enterProgram(ps.innermost().names, p)
	ps.pushScope()
	for _, v := range locals {
		s := &symbol{kind: symVariable, variable: v}
		if v.Image != nil {
			s = &symbol{kind: symInstance, buffer: v.Image}
		}
		ps.innermost().names[v.Name] = s
	}
	x := ps.expression()
	if !ps.eof() {
		ps.syntax(ps.pos(), ps.tok().Text, "unexpected %s after the expression", describe(ps.tok()))
	}
	if errs := ps.diags.Errors(); len(errs) > 0 {
		return nil, errs
	}
	return x, nil
}

// enterProgram declares what a program has at module scope, functions left out.
func enterProgram(names map[string]*symbol, t *tree.Program) {
	for _, st := range t.Structs {
		names[st.Name] = &symbol{kind: symType, typ: &tree.Type{Class: tree.ClassStruct, Struct: st}}
	}
	for _, v := range t.Shared {
		names[v.Name] = &symbol{kind: symVariable, variable: v}
	}
	for _, v := range t.Constants {
		names[v.Name] = &symbol{kind: symVariable, variable: v}
	}
	for i := range t.Globals {
		names[t.Globals[i].Var.Name] = &symbol{kind: symVariable, variable: t.Globals[i].Var}
	}
	for _, b := range t.Buffers {
		if instance, _, array := strings.Cut(b.Instance, "["); instance != "" {
			s := names[instance]
			if s == nil {
				s = &symbol{kind: symInstance, buffer: b}
				names[instance] = s
			}
			if array {
				s.buffers = append(s.buffers, b)
			}
			continue
		}
		for i := range b.Block.Members {
			names[b.Block.Members[i].Name] = &symbol{kind: symMember, buffer: b, member: i}
		}
	}
}
