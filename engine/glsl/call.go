package glsl

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// call parses "name(arguments)" and resolves the function: a user's functions hide all built-in
// ones of the same name (GLSL 4.50 section 8).
func (p *parser) call() tree.Expr {
	name := p.next()
	s := p.lookup(name.Text)
	if _, image := imageFunctions[name.Text]; image && s == nil && (name.Pos.File == ImageFile || !strings.HasPrefix(name.Text, "vt_")) {
		return callImage(p, name)
	}
	args := argumentList(p, func() tree.Expr { return argument(p) })
	if p.recovering {
		return broken(name.Pos)
	}
	switch {
	case s != nil && s.kind == symFunction:
		return p.callUser(name, s.overloads, args)
	case s != nil && s.kind == symBroken:
		return broken(name.Pos)
	case s != nil:
		p.malformed(name.Pos, name.Text, "call a function, or remove the parentheses", "%q is not a function", name.Text)
		return broken(name.Pos)
	}
	builtin := name.Text
	if builtin == "memoryBarrierImage" {
		builtin = "memoryBarrierBuffer" // what stands for an image is a buffer
	}
	if b := tree.LookupBuiltin(builtin); b != nil && (b.Family != tree.FamilySubgroup || p.prog.Subgroup > 0) {
		if onInt64(b) && !p.int64 {
			p.outside(name.Pos, name.Text, "write: #extension "+int64Extensions[0]+" : require", "the built-in function %s needs an extension", name.Text)
			return broken(name.Pos)
		}
		if b.Trinary() && !p.inspecting && !enabled(p, trinaryExtension) {
			p.outside(name.Pos, name.Text, "write: #extension "+trinaryExtension+" : require", "the built-in function %s needs an extension", name.Text)
			return broken(name.Pos)
		}
		if own := p.lookup(shuffleName); b.ID == tree.FnSubgroupShuffle && own != nil && len(args) == 2 && !anyBroken(args...) && otherSize(args[0].Type().Kind) {
			return p.callUser(source.Token{Text: shuffleName, Pos: name.Pos}, own.overloads, args)
		}
		return p.callBuiltin(name, b, args)
	}
	if outsideFunctions[name.Text] && subgroupNeeds(name.Text) == "" {
		p.outside(name.Pos, name.Text, "use the functions listed in docs/kernel-language.md", "the built-in function %s is outside the kernel language", name.Text)
		return broken(name.Pos)
	}
	p.unknown(name.Pos, name.Text, "the function")
	return broken(name.Pos)
}

// otherSize reports whether a component of kind k has not 32 bits.
func otherSize(k tree.Kind) bool { return k.IsNarrow() || k.Words() == 2 }

// onInt64 reports whether all overloads of a function have integers of 64 bits.
func onInt64(b *tree.Builtin) bool {
	long := func(t *tree.Type) bool { return t.Kind == tree.KindInt64 || t.Kind == tree.KindUint64 }
	return !slices.ContainsFunc(b.Signatures, func(s tree.Signature) bool {
		return !long(s.Result) && !slices.ContainsFunc(s.Params, func(q tree.Param) bool { return long(q.Type) })
	})
}

func argTypes(args []tree.Expr) []*tree.Type {
	types := make([]*tree.Type, len(args))
	for i, a := range args {
		types[i] = a.Type()
	}
	return types
}

func (p *parser) callUser(name source.Token, overloads []*overload, args []tree.Expr) tree.Expr {
	if anyBroken(args...) {
		return broken(name.Pos)
	}
	if p.noted.copying.now != nil {
		overloads = slices.DeleteFunc(slices.Clone(overloads), func(o *overload) bool { return !p.noted.copying.visible(o.at) })
	}
	candidates := make([][]tree.Param, len(overloads))
	for i, o := range overloads {
		candidates[i] = o.params
	}
	i := p.choose(name, candidates, args)
	if i < 0 {
		return broken(name.Pos)
	}
	o := overloads[i]
	p.names.usedFunction(name, o)
	passed, ok := p.passArgs(name, o.params, args)
	if !ok || o.broken {
		return broken(name.Pos)
	}
	if hasImages(o.params) {
		return copyCall(p, o, name, passed)
	}
	p.noteCall(o, o.fn, name.Pos)
	return &tree.Call{Node: tree.Node{T: o.fn.Result, At: name.Pos}, Func: o.fn, Args: passed, Inserted: name.Inserted}
}

// noteCall records an edge of the call graph: fn is the function that o declares, or a copy of it.
func (p *parser) noteCall(o *overload, fn *tree.Function, at source.Pos) {
	if !o.calledAt.IsValid() {
		o.calledAt = at
	}
	if p.fn != nil && !slices.Contains(p.fn.fn.Calls, fn) {
		p.fn.fn.Calls = append(p.fn.fn.Calls, fn)
	}
}

// choose resolves an overload or reports why none can be called.
func (p *parser) choose(name source.Token, candidates [][]tree.Param, args []tree.Expr) int {
	i, ambiguous := resolve(candidates, argTypes(args))
	if i >= 0 {
		return i
	}
	given := make([]string, len(args))
	for j, a := range args {
		given[j] = a.Type().String()
	}
	call := fmt.Sprintf("%s(%s)", name.Text, strings.Join(given, ", "))
	if ambiguous {
		p.malformed(name.Pos, name.Text, "convert the arguments explicitly", "the call %s is ambiguous", call)
	} else if p.foreign && p.lookup(name.Text) == nil {
		p.outside(name.Pos, name.Text, "write the kernel without the extension", "no function fits the call %s; one may belong to an extension", call)
	} else {
		p.malformed(name.Pos, name.Text, "it takes "+describeParams(candidates), "no function fits the call %s", call)
	}
	return -1
}

// describeParams lists a few overloads.
func describeParams(candidates [][]tree.Param) string {
	const most = 4
	var list []string
	for i, params := range candidates {
		if i == most {
			list = append(list, "…")
			break
		}
		words := make([]string, len(params))
		for j, q := range params {
			words[j] = q.Type.String()
		}
		list = append(list, "("+strings.Join(words, ", ")+")")
	}
	return strings.Join(list, " or ")
}

// passArgs converts arguments to their parameters and checks those that are written.
func (p *parser) passArgs(name source.Token, params []tree.Param, args []tree.Expr) ([]tree.Arg, bool) {
	list := make([]tree.Arg, len(args))
	ok := true
	for i, q := range params {
		list[i] = tree.Arg{Mode: q.Mode, X: args[i]}
		if q.Mode == tree.ModeIn {
			list[i].X = p.coerce(args[i], q.Type, fmt.Sprintf("argument %d of %s", i+1, name.Text))
			ok = ok && !isBroken(list[i].X)
			continue
		}
		ok = p.assignable(args[i], args[i].Pos(), fmt.Sprintf("the %s argument %d of %s", q.Mode, i+1, name.Text)) && ok
	}
	return list, ok
}

// callBuiltin types a call of a built-in function.
func (p *parser) callBuiltin(name source.Token, b *tree.Builtin, args []tree.Expr) tree.Expr {
	if anyBroken(args...) {
		return broken(name.Pos)
	}
	signatures := usableSignatures(b, args)
	candidates := make([][]tree.Param, len(signatures))
	for i := range signatures {
		candidates[i] = signatures[i].Params
	}
	i := p.choose(name, candidates, args)
	if i < 0 {
		return broken(name.Pos)
	}
	p.names.usedBuiltin(name, b)
	if onInt64(b) {
		need(p, int64Extensions[0])
	}
	s := signatures[i]
	passed, ok := p.passArgs(name, s.Params, args)
	if !ok {
		return broken(name.Pos)
	}
	node := tree.Node{T: s.Result, At: name.Pos}
	if op, is := b.Atomic(); is {
		if !atomicEnabled(p, name, op, s.Result) {
			return broken(name.Pos)
		}
		return p.atomic(&tree.Atomic{Node: node, Builtin: b, Op: op, Target: args[0]}, passed)
	}
	if b.ID == tree.FnGridBarrier {
		p.noted.gridBarriers = append(p.noted.gridBarriers, name.Pos)
	}
	return foldBuiltin(&tree.BuiltinCall{Node: node, Builtin: b, Signature: s, Args: passed})
}

// need notes an extension that a device must have.
func need(p *parser, extension string) {
	if !slices.Contains(p.prog.Needs, extension) {
		p.prog.Needs = append(p.prog.Needs, extension)
	}
}

// usableSignatures are the overloads that may fit. Those with parameters of 64 bits need an argument of 64 bits, where the function
// has others: there every other argument fits one of those better.
func usableSignatures(b *tree.Builtin, args []tree.Expr) []*tree.Signature {
	wide := slices.ContainsFunc(args, func(e tree.Expr) bool { return e.Type().ComponentKind().Words() == 2 })
	var list, narrow []*tree.Signature
	for i := range b.Signatures {
		s := &b.Signatures[i]
		list = append(list, s)
		if !slices.ContainsFunc(s.Params, func(q tree.Param) bool { return q.Type.ComponentKind().Words() == 2 }) {
			narrow = append(narrow, s)
		}
	}
	if wide || len(narrow) == 0 {
		narrow = list
	}
	if !slices.ContainsFunc(args, func(e tree.Expr) bool { return e.Type().ComponentKind().IsNarrow() }) {
		return narrow
	}
	more := tree.NarrowSignatures(b)
	for i := range more {
		narrow = append(narrow, &more[i])
	}
	return narrow
}

// atomic checks the memory of an atomic function: one number in a buffer or shared variable
// (section 8.11), readable and writable.
func (p *parser) atomic(a *tree.Atomic, args []tree.Arg) tree.Expr {
	a.Value = args[len(args)-1].X
	if len(args) == 3 {
		a.Compare = args[1].X
	}
	switch root := tree.Root(a.Target).(type) {
	case *tree.BufferRef:
		if root.Buffer.MemberMemory(root.Member).Has(tree.WriteOnly) {
			p.malformed(a.Target.Pos(), a.Builtin.Name, "remove writeonly", "%s reads memory that is writeonly", a.Builtin.Name)
			return broken(a.At)
		}
		return a
	case *tree.VarRef:
		if root.Var.Kind == tree.VarShared {
			return a
		}
	}
	p.malformed(a.Target.Pos(), a.Builtin.Name, "pass a member of a buffer block or a shared variable", "%s works on buffer and shared memory only", a.Builtin.Name)
	return broken(a.At)
}
