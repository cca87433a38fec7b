package debugger

import (
	"fmt"

	"vyretop/engine/fault"
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
	if err := p.fits(); err != nil {
		return err
	}
	s.watch = &watch{expr, s.groupAt, s.lane, p, p.words()}
	return nil
}

// ToWrite continues, or back, to the next write to the place of an expression; back is who wrote its value. Breakpoints
// do not stop it. Without such a write it stays, with an error.
func (s *Session) ToWrite(expr string, d Direction) (Stop, error) {
	watched, breaks, begin := s.watch, s.breaks, s.m.now
	defer func() { s.watch, s.breaks = watched, breaks }()
	if err := s.Watch(expr); err != nil {
		return Stop{}, err
	}
	s.breaks = nil
	group, lane := s.groupAt, s.lane
	stop := s.Continue(d)
	if stop.Reason == Ended || stop.Reason == AtStart {
		s.m.seek(begin)
		s.groupAt, s.lane = group, lane
		when := map[Direction]string{Forward: "after", Back: "before"}[d]
		return stop, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("no write to %s %s this time", expr, when), Fix: "the value is the one that the dispatch began with or that set gave; go to another time or name another place"}
	}
	return stop, nil
}

// watching finds the writes to the watched place.
type watching struct{ *Session }

// mayWrite reports whether an instruction can write to the space of the watched place.
func (s watching) mayWrite(pc int) bool {
	in := s.code().Instrs[pc]
	kinds := vm.Ops[in.Op].Kinds
	if kinds[3] == vm.KindAccess && s.code().Accesses[in.C].Space == s.watch.spot.space {
		return true
	}
	return s.watch.spot.space == vm.SpaceRegs && (kinds[0] == vm.KindDst || kinds[0] == vm.KindDst1)
}

// writes gives the write that a workgroup is about to make to the watched place, or nil.
func (s watching) writes(ran uint64) *Write {
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
func (s watching) outcome(w *Write) *Write {
	now, none := s.m.now, make([]bool, len(s.code().Instrs))
	for ran, n := uint64(0), 0; n == 0 || ran != w.Group; {
		w.Old = s.watching().watchedValue()
		ran, n = s.m.forward(w.Group, 1, none)
	}
	w.New = s.watching().watchedValue()
	s.m.seek(now)
	return w
}

func (s watching) watchedValue() Value {
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
