package glsl

import (
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// memberKey names one member of one buffer block.
type memberKey struct {
	buffer *tree.Buffer
	member int
}

// access is one read of a buffer member as the text has it.
type access struct {
	memberKey
	pos    source.Pos
	fn     *tree.Function // nil in a module-scope initializer
	inLoop bool           // lexically inside a loop
	inCond bool           // in the condition of a loop
}

// accesses collects how a program uses its buffers.
type accesses struct {
	reads   []access
	written map[memberKey]bool // by assignment or out argument
	atomic  map[memberKey]bool
	looped  map[*tree.Function]bool // called from inside a loop, directly or not
	at      access                  // where the walk is
}

// checkAccesses reports reads of writeonly memory and warns about suspicious plain reads.
//
// A read is suspicious when its member is neither coherent nor volatile, and it is evaluated in a
// loop (or in a function called from one), and the member's memory changes under it: the block is
// SharedWithHost; or some function updates the member with atomics; or the read is part of a loop's
// condition and some function writes the member. Such a loop may never see the change.
func (p *parser) checkAccesses() {
	a := &accesses{written: map[memberKey]bool{}, atomic: map[memberKey]bool{}, looped: map[*tree.Function]bool{}}
	for i := range p.prog.Globals {
		if d := &p.prog.Globals[i]; d.Init != nil {
			a.value(d.Init)
		}
	}
	for _, f := range p.prog.Functions {
		a.at = access{fn: f}
		a.stmt(f.Body)
	}
	a.closeLooped()
	for _, r := range a.reads {
		p.checkRead(a, r)
	}
}

func (p *parser) checkRead(a *accesses, r access) {
	m := r.buffer.MemberMemory(r.member)
	name := r.buffer.Block.Members[r.member].Name
	if m.Has(tree.WriteOnly) {
		p.malformed(r.pos, name, "remove writeonly", "%q is writeonly and is read here", name)
		return
	}
	if m.Has(tree.Coherent) || m.Has(tree.Volatile) || !r.inLoop && !a.looped[r.fn] {
		return
	}
	shared := p.opts.SharedWithHost != nil && p.opts.SharedWithHost(r.buffer.Name)
	switch {
	case shared:
		p.suspiciousRead(r, name, "the host writes while the kernel runs")
	case a.atomic[r.memberKey]:
		p.suspiciousRead(r, name, "is updated with atomics")
	case r.inCond && a.written[r.memberKey]:
		p.suspiciousRead(r, name, "the kernel writes and a loop waits for")
	}
}

func (p *parser) suspiciousRead(r access, name, why string) {
	p.suspicious(r.pos, name, "declare the member volatile or coherent, or read it with an atomic",
		"plain read in a loop of %q, which %s: the loop may never see a change", name, why)
}

// closeLooped extends looped to everything that a function called from a loop calls.
func (a *accesses) closeLooped() {
	var mark func(f *tree.Function)
	mark = func(f *tree.Function) {
		for _, g := range f.Calls {
			if !a.looped[g] {
				a.looped[g] = true
				mark(g)
			}
		}
	}
	for f := range a.looped {
		mark(f)
	}
}

// stmt walks a statement; what a loop repeats is walked with inLoop set.
func (a *accesses) stmt(s tree.Stmt) {
	outer := a.at
	switch x := s.(type) {
	case *tree.For:
		if x.Init != nil {
			a.stmt(x.Init)
		}
		a.loop(x.CondDecl, x.Cond, x.Post, x.Body)
	case *tree.While:
		a.loop(x.CondDecl, x.Cond, nil, x.Body)
	case *tree.DoWhile:
		a.loop(nil, x.Cond, nil, x.Body)
	default:
		for _, e := range tree.Exprs(s) {
			a.value(e)
		}
		for _, c := range tree.Children(s) {
			a.stmt(c)
		}
	}
	a.at = outer
}

func (a *accesses) loop(decl *tree.Declare, cond, post tree.Expr, body tree.Stmt) {
	a.at.inLoop, a.at.inCond = true, true
	if decl != nil {
		a.stmt(decl)
	}
	if cond != nil {
		a.value(cond)
	}
	a.at.inCond = false
	if post != nil {
		a.value(post)
	}
	a.stmt(body)
}

// value walks an expression whose value is used.
func (a *accesses) value(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Assign:
		a.target(x.Target, x.Op != tree.OpNone)
		a.value(x.Value)
	case *tree.IncDec:
		a.target(x.X, true)
	case *tree.Call:
		if a.at.inLoop {
			a.looped[x.Func] = true
		}
		a.args(x.Args)
	case *tree.BuiltinCall:
		a.args(x.Args)
	case *tree.Atomic:
		a.atomicTarget(x)
	case *tree.Length:
		a.indices(x.X)
	case *tree.BufferRef:
		a.read(x)
	default:
		for _, o := range tree.Operands(e) {
			a.value(o)
		}
	}
}

func (a *accesses) args(args []tree.Arg) {
	for i := range args {
		if args[i].Mode == tree.ModeIn {
			a.value(args[i].X)
		} else {
			a.target(args[i].X, args[i].Mode == tree.ModeInOut)
		}
	}
}

// target walks an l-value that is written, and read too if asked.
func (a *accesses) target(e tree.Expr, alsoRead bool) {
	a.indices(e)
	root, ok := tree.Root(e).(*tree.BufferRef)
	if !ok {
		return
	}
	a.written[memberKey{root.Buffer, root.Member}] = true
	if alsoRead {
		a.read(root)
	}
}

func (a *accesses) atomicTarget(x *tree.Atomic) {
	a.indices(x.Target)
	if root, ok := tree.Root(x.Target).(*tree.BufferRef); ok {
		a.atomic[memberKey{root.Buffer, root.Member}] = true
	}
	if x.Compare != nil {
		a.value(x.Compare)
	}
	a.value(x.Value)
}

// indices walks the index expressions of an access chain.
func (a *accesses) indices(e tree.Expr) {
	switch x := e.(type) {
	case *tree.Index:
		a.indices(x.X)
		a.value(x.I)
	case *tree.Field:
		a.indices(x.X)
	case *tree.Swizzle:
		a.indices(x.X)
	}
}

func (a *accesses) read(x *tree.BufferRef) {
	r := a.at
	r.memberKey, r.pos = memberKey{x.Buffer, x.Member}, x.At
	a.reads = append(a.reads, r)
}
