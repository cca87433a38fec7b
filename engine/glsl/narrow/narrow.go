// Package narrow rewrites a checked program whose text has types of 8 and 16 bits into one that computes with 32 bits, which every
// backend runs.
//
// A value of a narrow type is held by one of 32 bits: an integer of 8 or 16 bits by the int or uint of the same value, a float16_t by the
// float of the same value. What an operator or a built-in function gives is computed with 32 bits and then made a value of the narrow type
// again: an integer keeps its low bits, a float is rounded to the nearest float16_t, ties to even.
//
// A block with narrow members, or whose scalar layout drivers do not have, has a second form, Buffer.Packed: the same memory as words. The program reads and writes those only. A
// component that shares its word with others is stored by one atomic exclusive or, which leaves the others as they are, also where
// another invocation writes them at that time.
package narrow

import (
	"fmt"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// Rewrite changes p in place. The diagnostics are of what cannot be rewritten; p is of no use then.
func Rewrite(p *tree.Program) source.Diagnostics {
	r := &rewriter{prog: p, structs: map[*tree.Struct]*tree.Type{}}
	for _, b := range p.Buffers {
		if b.Layout.Scalar || (&tree.Type{Class: tree.ClassStruct, Struct: b.Block}).HasNarrow() {
			b.Packed = packed(b)
		}
	}
	for i, s := range p.Structs {
		if t := (&tree.Type{Class: tree.ClassStruct, Struct: s}); t.HasNarrow() {
			p.Structs[i] = r.wide(t).Struct
		}
	}
	declarations(r)
	globals(r)
	for _, f := range p.Functions {
		r.function(f)
	}
	return r.diags
}

// rewriter is the state of one Rewrite.
type rewriter struct {
	prog    *tree.Program
	structs map[*tree.Struct]*tree.Type // those of 32 bits, by those of the text
	diags   source.Diagnostics

	temps []*tree.Variable // of the function that is rewritten
	used  map[*tree.Variable]bool
	kind  tree.VarKind // of the temporaries
}

// packed is the block as words.
func packed(b *tree.Buffer) *tree.Buffer {
	words := tree.ArrayOf(tree.Uint, max(b.Block.Size()/4, 1))
	if b.RuntimeArray() != nil {
		words = tree.RuntimeArrayOf(tree.Uint)
	}
	u := *b
	u.Instance, u.Initial = fmt.Sprintf("vt_packed%d", b.ID), nil
	u.Memory &^= tree.WriteOnly
	for i := range b.Block.Members {
		u.Memory |= b.Block.Members[i].Memory & (tree.Coherent | tree.Volatile)
	}
	u.Block = tree.NewBlock(b.Block.Name, []tree.Member{{Name: "words", Type: words, Pos: b.Pos}}, tree.Layout{}, b.Pos)
	u.Layout = tree.Layout{Scalar: b.Layout.Scalar}
	return &u
}

// wide is the type that holds the values of t: without narrow components, and without a layout of its own.
func (r *rewriter) wide(t *tree.Type) *tree.Type {
	switch {
	case t == nil:
		return nil
	case t.Class == tree.ClassArray && !t.Matrix:
		return tree.ArrayOf(r.wide(t.Elem), t.Len)
	case t.Class == tree.ClassStruct && !t.HasNarrow():
		return &tree.Type{Class: tree.ClassStruct, Struct: t.Struct.Declared()}
	case t.Class == tree.ClassStruct:
		return wideStruct(r, t.Struct.Declared())
	}
	return t.Widened()
}

func wideStruct(r *rewriter, s *tree.Struct) *tree.Type {
	if t := r.structs[s]; t != nil {
		return t
	}
	var members []tree.Member
	for _, m := range s.Members {
		m.Type = r.wide(m.Type)
		members = append(members, m)
	}
	t := tree.NewStruct(s.Name, members, s.Pos)
	r.structs[s] = t
	return t
}

// declarations gives variables and results their types of 32 bits.
func declarations(r *rewriter) {
	p := r.prog
	for _, list := range [][]*tree.Variable{p.Constants, p.Shared} {
		variables(r, list)
	}
	for i := range p.Globals {
		variables(r, []*tree.Variable{p.Globals[i].Var})
	}
	for _, f := range p.Functions {
		variables(r, f.Params)
		variables(r, f.Locals)
		if f.Result.HasNarrow() {
			f.Declared, f.Result = f.Result, r.wide(f.Result)
		}
	}
}

func variables(r *rewriter, list []*tree.Variable) {
	for _, v := range list {
		if !v.Type.HasNarrow() {
			continue
		}
		v.Declared, v.Type = v.Type, r.wide(v.Type)
		if v.Value != nil {
			v.Value = &tree.Const{Node: tree.Node{T: v.Type, At: v.Value.At}, Bits: v.Value.Bits}
		}
	}
}

// globals rewrites the initializers at module scope, whose temporaries are variables there, set before main.
func globals(r *rewriter) {
	r.begin(tree.VarGlobal)
	for i := range r.prog.Globals {
		if d := &r.prog.Globals[i]; d.Init != nil {
			d.Init = r.root(d.Init)
		}
	}
	var list []tree.Declarator
	for _, v := range r.temps {
		list = append(list, tree.Declarator{Var: v})
	}
	r.prog.Globals = append(list, r.prog.Globals...)
	for i := range r.prog.Globals {
		r.prog.Globals[i].Var.ID = i
	}
}

// function rewrites a function; its temporaries are declared where its body begins.
func (r *rewriter) function(f *tree.Function) {
	r.begin(tree.VarLocal)
	r.stmt(f.Body)
	if len(r.temps) == 0 {
		return
	}
	d := &tree.Declare{Span: tree.Span{From: f.Body.From, To: f.Body.From}}
	for _, v := range r.temps {
		v.ID = len(f.Params) + len(f.Locals)
		f.Locals = append(f.Locals, v)
		d.Vars = append(d.Vars, tree.Declarator{Var: v})
	}
	f.Body.List = append([]tree.Stmt{d}, f.Body.List...)
}
