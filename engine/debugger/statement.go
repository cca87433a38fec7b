package debugger

import "vyretop/engine/glsl/tree"

// addStatements sets a breakpoint at each breakpoint(CONDITION) statement that main comes to.
func (s lines) addStatements() {
	for _, f := range s.tree.Functions {
		if f.Body == nil {
			continue
		}
		tree.InspectStmts(f.Body, func(x tree.Stmt) {
			if e, ok := x.(*tree.Empty); ok && e.Breakpoint != "" {
				s.addStatement(e)
			}
		})
	}
}

func (s lines) addStatement(e *tree.Empty) {
	pcs := map[int]bool{}
	for pc := range s.code().Instrs {
		if s.code().Site(pc).Pos == e.Pos() {
			pcs[pc] = true
		}
	}
	if len(pcs) == 0 {
		return
	}
	at := e.Pos()
	s.breaks = append(s.breaks, &Breakpoint{ID: s.nextID, File: at.File, Line: at.Line, Asked: at.Line, Statement: true, pcs: pcs, BreakOptions: BreakOptions{Condition: e.Breakpoint}})
	s.nextID++
}
