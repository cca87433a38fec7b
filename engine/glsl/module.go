package glsl

import (
	"slices"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
)

// checkModule checks what only the whole text shows; end is its last position.
func (p *parser) checkModule(end source.Pos) {
	p.checkMain(end)
	if !p.layout.sized && !p.skipped {
		p.suspicious(end, "local_size", "add: layout(local_size_x = N) in;", "the kernel declares no workgroup size: it is 1, as in SPIR-V")
		p.layout.localSize = [3]uint32{1, 1, 1}
	}
	for _, o := range p.functions {
		if o.calledAt.IsValid() && !o.defined && !p.skipped { // else what is malformed may be its definition
			p.malformed(o.calledAt, o.fn.Name, "define it, or include the file that does", "%s is declared and called but not defined", o.fn.Signature())
		}
	}
	p.checkRecursion()
	p.checkGridBarriers()
}

// checkGridBarriers: all workgroups must come by a grid barrier, and a backend without one divides
// main there, so it stands among the statements of main's body and in nothing else.
func (p *parser) checkGridBarriers() {
	allowed := map[source.Pos]bool{}
	if p.prog.Main != nil {
		for _, s := range p.prog.Main.Body.List {
			if call := tree.AsGridBarrier(s); call != nil {
				allowed[call.At] = true
			}
		}
	}
	for _, at := range p.noted.gridBarriers {
		if !allowed[at] {
			p.malformed(at, "gridBarrier", "move it out of the function, loop, branch or expression, to the top level of main", "gridBarrier() may only be a statement at the top level of main")
		}
	}
}

func (p *parser) checkMain(end source.Pos) {
	for _, o := range p.functions {
		if o.fn.Name != "main" {
			continue
		}
		if o.fn.Result != tree.Void || len(o.params) > 0 {
			p.malformed(o.fn.Pos, "main", "write: void main()", "main takes no arguments and returns nothing")
		}
		if o.defined {
			p.prog.Main = o.fn
		}
	}
	if p.prog.Main == nil && !p.skipped {
		p.malformed(end, "main", "add: void main() { … }", "the kernel has no function main")
	}
}

// checkRecursion reports functions that call themselves, directly or through others, whether or
// not the call is ever reached (GLSL 4.50 section 6.1).
func (p *parser) checkRecursion() {
	w := recursion{state: map[*tree.Function]int{}}
	for _, o := range p.functions {
		w.visit(o.fn)
	}
	for _, cycle := range w.cycles {
		names := make([]string, 0, len(cycle)+1)
		for _, f := range cycle {
			names = append(names, f.Name)
		}
		names = append(names, cycle[0].Name)
		p.malformed(cycle[0].Pos, cycle[0].Name, "use a loop, or a continuation", "recursion is not allowed: %s", strings.Join(names, " calls "))
	}
}

// recursion walks the call graph depth first.
type recursion struct {
	state  map[*tree.Function]int // 0 not seen, 1 on the path, 2 done
	path   []*tree.Function
	cycles [][]*tree.Function
}

func (w *recursion) visit(f *tree.Function) {
	switch w.state[f] {
	case 1:
		from := slices.Index(w.path, f)
		w.cycles = append(w.cycles, slices.Clone(w.path[from:]))
		return
	case 2:
		return
	}
	w.state[f] = 1
	w.path = append(w.path, f)
	for _, g := range f.Calls {
		w.visit(g)
	}
	w.path = w.path[:len(w.path)-1]
	w.state[f] = 2
}
