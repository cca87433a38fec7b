package debugger

import (
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Write is a write to a watched word.
type Write struct {
	Expr     string
	Pos      source.Pos
	Group    uint64
	Lane     int
	Old, New Value
}

// watch is a value in memory, the writes to which stop a run.
type watch struct {
	expr  string
	group uint64 // of shared memory and registers
	lane  int    // of registers
	spot  spot
	words []int
}

// Watch makes runs stop at writes to the place that an expression names now; "" takes it back.
func (s *Session) Watch(expr string) error {
	if expr == "" {
		s.watch = nil
		return nil
	}
	x, err := s.parse(expr)
	if err != nil {
		return err
	}
	p, err := s.scope().locate(x)
	if err != nil {
		return err
	}
	if p.t.Class == tree.ClassRuntimeArray {
		return unsupported("the array has no fixed size", "watch an element of it")
	}
	s.watch = &watch{expr, s.groupAt, s.lane, p, p.words()}
	return nil
}

// Watched is the expression being watched, or "".
func (s *Session) Watched() string {
	if s.watch == nil {
		return ""
	}
	return s.watch.expr
}

// LastWrite goes back to the last write to the place of an expression: who wrote its value.
func (s *Session) LastWrite(expr string) (Stop, error) {
	watched, breaks := s.watch, s.breaks
	defer func() { s.watch, s.breaks = watched, breaks }()
	if err := s.Watch(expr); err != nil {
		return Stop{}, err
	}
	s.breaks = nil
	return s.Continue(Back), nil
}

// mayWrite reports whether an instruction can write to the space of the watched place.
func (s *Session) mayWrite(pc int) bool {
	in := s.code().Instrs[pc]
	kinds := vm.Ops[in.Op].Kinds
	if kinds[3] == vm.KindAccess && s.code().Accesses[in.C].Space == s.watch.spot.space {
		return true
	}
	return s.watch.spot.space == vm.SpaceRegs && (kinds[0] == vm.KindDst || kinds[0] == vm.KindDst1)
}

// writes gives the write that a workgroup is about to make to the watched place, or nil.
func (s *Session) writes(ran uint64) *Write {
	w := s.watch
	if w == nil || w.spot.space >= int32(len(s.tree.Buffers)) && ran != w.group {
		return nil
	}
	g := s.m.groups[ran]
	for lane := range s.code().Lanes() {
		if w.spot.space == vm.SpaceRegs && (ran != w.group || lane != w.lane) {
			continue
		}
		space, first, n := g.Writes(lane)
		for _, at := range w.words {
			if n > 0 && space == w.spot.space && at >= first && at < first+n {
				return &Write{Expr: w.expr, Pos: s.code().Site(g.PC()).Pos, Group: ran, Lane: lane}
			}
		}
	}
	return nil
}

// outcome completes a write that is about to happen with the values before and after. Where the history has another
// workgroup's turn first, that one runs first.
func (s *Session) outcome(w *Write) *Write {
	now, none := s.m.now, make([]bool, len(s.code().Instrs))
	for ran, n := uint64(0), 0; n == 0 || ran != w.Group; {
		w.Old = s.watchedValue()
		ran, n = s.m.forward(w.Group, 1, none)
	}
	w.New = s.watchedValue()
	s.m.seek(now)
	return w
}

func (s *Session) watchedValue() Value {
	v := Value{Type: s.watch.spot.t}
	for _, at := range s.watch.words {
		v.Words = append(v.Words, s.scope().word(s.watch.spot.space, at))
	}
	return v
}

// parseAt checks an expression in the scope of an instruction.
func (s *Session) parseAt(text string, pc int) (tree.Expr, error) {
	var locals []*tree.Variable
	call := s.code().Site(pc).Call
	for _, v := range s.m.lowered.Vars {
		if pc >= v.From && pc < v.To && (v.Call == call || v.Variable.Kind == tree.VarGlobal) {
			locals = append(locals, v.Variable)
		}
	}
	return glsl.Expression(text, s.tree, locals)
}
