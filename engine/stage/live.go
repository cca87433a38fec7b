package stage

import (
	"fmt"
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// maxInvocationWords bounds what one invocation may carry across a barrier: each word is a statement in
// the text of two parts.
const maxInvocationWords = 1024

// live is what exists across barriers.
type live struct {
	globals []slot  // private module-scope variables
	locals  []local // variables of main's top level, in order of declaration
	shared  []slot  // offsets within a workgroup record
}

// slot is a variable with its place in a record.
type slot struct {
	*tree.Variable
	offset int
}

type local struct {
	slot
	before int // the first barrier behind its declaration
	until  int // the last barrier before a use; less than before: none
}

// collect finds the barriers and what lives across them, and lays out the records.
func (b *builder) collect() error {
	main := b.program.Tree.Main
	for i := b.open + 1; i < b.end; i++ {
		if sequence(b.words, i, "gridBarrier", "(", ")", ";") {
			b.barriers = append(b.barriers, i)
		}
	}
	statements := sections(main.Body.List)
	if len(statements) != len(b.barriers)+1 {
		return refuse(b.program, "the grid barriers of the text and of the checked program differ", "write gridBarrier(); as a statement of its own")
	}
	offset := 1
	for i := range b.program.Tree.Globals {
		if v := b.program.Tree.Globals[i].Var; v.Value == nil {
			b.live.globals = append(b.live.globals, slot{v, offset})
			offset += v.Type.Components()
		}
	}
	for k, list := range statements {
		for _, v := range declared(list) {
			l := local{slot: slot{v, offset}, before: k, until: lastUse(v, statements) - 1}
			if l.spilled() {
				offset += v.Type.Components()
			}
			b.live.locals = append(b.live.locals, l)
		}
	}
	words := 0
	for _, v := range b.program.Shared {
		b.live.shared = append(b.live.shared, slot{v, words})
		words += v.Type.Components()
	}
	b.InvocationWords, b.WorkgroupWords = offset, words
	return b.checkLive(offset)
}

func (b *builder) checkLive(words int) error {
	if words > maxInvocationWords {
		return refuse(b.program, fmt.Sprintf("%d words of each invocation live across a grid barrier, at most %d can", words, maxInvocationWords),
			"keep arrays that live across gridBarrier() in a buffer")
	}
	for _, l := range b.live.locals {
		if s := structOf(l.Type); s != nil && within(s.Pos, b.program.Tree.Main) {
			return refuse(b.program, fmt.Sprintf("the structure %s is declared in main, and %s of that type is declared before a grid barrier", s.Name, l.Name),
				"declare the structure outside main")
		}
	}
	return nil
}

// structOf is the structure of a type or of its elements, or nil.
func structOf(t *tree.Type) *tree.Struct {
	for t.IsArray() {
		t = t.Elem
	}
	return t.Struct
}

func within(p source.Pos, f *tree.Function) bool {
	return p.File == f.Pos.File && p.Line >= f.Pos.Line && p.Line <= f.End.Line
}

// sections divides main's statements at the grid barriers.
func sections(list []tree.Stmt) [][]tree.Stmt {
	out := [][]tree.Stmt{nil}
	for _, s := range list {
		if tree.AsGridBarrier(s) != nil {
			out = append(out, nil)
			continue
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// declared lists the variables that statements declare at their own level.
func declared(list []tree.Stmt) []*tree.Variable {
	var out []*tree.Variable
	for _, s := range list {
		if d, ok := s.(*tree.Declare); ok {
			for _, v := range d.Vars {
				out = append(out, v.Var)
			}
		}
	}
	return out
}

// lastUse is the last section that names v.
func lastUse(v *tree.Variable, sections [][]tree.Stmt) int {
	last := -1
	for k, list := range sections {
		if slices.ContainsFunc(list, func(s tree.Stmt) bool { return names(s, v) }) {
			last = k
		}
	}
	return last
}

func names(s tree.Stmt, v *tree.Variable) bool {
	found := false
	tree.InspectStmts(s, func(s tree.Stmt) {
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(e tree.Expr) bool {
				ref, ok := e.(*tree.VarRef)
				found = found || ok && ref.Var == v
				return !found
			})
		}
	})
	return found
}

// spilled reports whether the variable has a place in the record: constants are written again.
func (l *local) spilled() bool { return l.Value == nil && l.until >= l.before }

// crosses reports whether the variable's value is wanted behind a barrier.
func (l *local) crosses(barrier int) bool {
	return l.spilled() && l.before <= barrier && barrier <= l.until
}

// declare declares everything that part k finds declared. What is no longer used keeps its name.
func (v *live) declare(k int) string {
	var t strings.Builder
	for _, l := range v.locals {
		switch {
		case l.before >= k:
		case l.Value != nil:
			fmt.Fprintf(&t, "const %s = %s; ", declaration(l.Type, l.Name), constant(l.Type, l.Value.Bits))
		default:
			fmt.Fprintf(&t, "%s; ", declaration(l.Type, l.Name))
		}
	}
	return t.String()
}

// restore reads at the beginning of part k what crossed barrier k-1, save writes it before.
func (v *live) restore(k int) string {
	return v.each(k-1, func(t *strings.Builder, c component, word string) {
		fmt.Fprintf(t, "%s; ", c.restored(word))
	})
}

func (v *live) save(k int) string {
	return v.each(k-1, func(t *strings.Builder, c component, word string) {
		fmt.Fprintf(t, "%s = %s; ", word, c.saved())
	})
}

func (v *live) each(barrier int, write func(t *strings.Builder, c component, word string)) string {
	var t strings.Builder
	one := func(s slot) {
		n := s.offset
		components(s.Name, s.Type, func(c component) {
			write(&t, c, fmt.Sprintf("vts_spill[vts_at + %du]", n))
			n++
		})
	}
	for _, g := range v.globals {
		one(g)
	}
	for _, l := range v.locals {
		if l.crosses(barrier) {
			one(l.slot)
		}
	}
	return t.String()
}

// saveShared and restoreShared share the elements of a variable among the lanes of the workgroup.
func (v *live) saveShared(lanes uint32) string {
	return v.eachShared(lanes, func(t *strings.Builder, c component, word string) {
		fmt.Fprintf(t, "%s = %s; ", word, c.saved())
	})
}

func (v *live) restoreShared(lanes uint32) string {
	return v.eachShared(lanes, func(t *strings.Builder, c component, word string) {
		fmt.Fprintf(t, "%s; ", c.restored(word))
	})
}

func (v *live) eachShared(lanes uint32, write func(t *strings.Builder, c component, word string)) string {
	var t strings.Builder
	for _, s := range v.shared {
		name, typ, count := s.Name, s.Type, 1
		if s.Type.IsArray() {
			name, typ, count = s.Name+"[vts_i]", s.Type.Elem, s.Type.Len
		}
		size := typ.Components()
		fmt.Fprintf(&t, "for (uint vts_i = gl_LocalInvocationIndex; vts_i < %du; vts_i += %du) { ", count, lanes)
		n := s.offset
		components(name, typ, func(c component) {
			write(&t, c, fmt.Sprintf("vts_spill[vts_shared + %du + vts_i * %du]", n, size))
			n++
		})
		t.WriteString("} ")
	}
	return t.String()
}
