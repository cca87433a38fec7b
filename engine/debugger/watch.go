package debugger

import (
	"fmt"
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Write is a write to a watched word.
type Write struct {
	Expr     string
	At       *Watchpoint
	Pos      source.Pos
	Group    uint64
	Lane     int
	Old, New Value
}

// Watchpoint is a place in memory or in the registers of a lane, the writes to which stop a run.
type Watchpoint struct {
	Expr  string // that named it
	group uint64 // of shared memory and registers
	lane  int    // of registers
	spot  spot
	words []int
}

// FindWatchpoint finds the place that an expression names for the selected lane now.
func FindWatchpoint(s *Session, expr string) (*Watchpoint, error) {
	x, err := s.scope().parse(expr)
	if err != nil {
		return nil, err
	}
	p, err := s.scope().locate(x)
	if err != nil {
		return nil, err
	}
	if p.t.Class == tree.ClassRuntimeArray {
		return nil, unsupported("the array has no fixed size", "watch an element of it")
	}
	if err := p.fits(); err != nil {
		return nil, err
	}
	return &Watchpoint{expr, s.groupAt, s.lane, p, p.words()}, nil
}

// Words are the words of a buffer that the place consists of; false for registers and shared memory.
func (w *Watchpoint) Words(s *Session) (binding uint32, words []int, ok bool) {
	if w.spot.space < 0 || int(w.spot.space) >= len(s.tree.Buffers) {
		return 0, nil, false
	}
	return uint32(s.tree.Buffers[w.spot.space].Binding), slices.Clone(w.words), true
}

// SetWatchpoints makes runs stop at writes to these places, and to no others.
func SetWatchpoints(s *Session, list ...*Watchpoint) { s.watched = list }

// Watch makes runs stop at writes to the place that an expression names now, and to no other; "" takes it back.
func (s *Session) Watch(expr string) error {
	if expr == "" {
		SetWatchpoints(s)
		return nil
	}
	w, err := FindWatchpoint(s, expr)
	if err == nil {
		SetWatchpoints(s, w)
	}
	return err
}

// ToWrite continues, or back, to the next write to the place of an expression; back is who wrote its value. Breakpoints
// do not stop it. Without such a write it stays, with an error.
func (s *Session) ToWrite(expr string, d Direction) (Stop, error) {
	watched, breaks, begin := s.watched, s.breaks, s.m.now
	defer func() { s.watched, s.breaks = watched, breaks }()
	w, err := FindWatchpoint(s, expr)
	if err != nil {
		return Stop{}, err
	}
	SetWatchpoints(s, w)
	s.breaks = nil
	group, lane := s.groupAt, s.lane
	stop := s.Continue(d)
	if stop.Reason == Ended || stop.Reason == AtStart {
		s.m.seek(begin)
		s.groupAt, s.lane = group, lane
		when := map[Direction]string{Forward: "after", Back: "before"}[d]
		return stop, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("no write to %s %s this time", expr, when), Fix: "the value is the one that the dispatch began with or that set gave; go to another time or name another place"}
	}
	if d == Back && s.watching().setBetween(w, stop.Time, begin) {
		stop.Detail = "set changed " + expr + " after this write"
	}
	return stop, nil
}

// watching finds the writes to the watched places.
type watching struct{ *Session }

// mayWrite reports whether an instruction can write to the space of a watched place.
func (s watching) mayWrite(pc int) bool {
	in := s.code().Instrs[pc]
	kinds := vm.Ops[in.Op].Kinds
	return slices.ContainsFunc(s.watched, func(w *Watchpoint) bool {
		if kinds[3] == vm.KindAccess && s.code().Accesses[in.C].Space == w.spot.space {
			return true
		}
		return w.spot.space == vm.SpaceRegs && kinds[0].Writes()
	})
}

// writes gives the write that a workgroup is about to make to a watched place, or nil. It goes by lane, then in the order of
// the watchpoints.
func (s watching) writes(ran uint64) *Write {
	if len(s.watched) == 0 {
		return nil
	}
	g := s.m.groups[ran]
	for lane := range s.code().Lanes() {
		space, first, n := g.Writes(lane)
		if n == 0 {
			continue
		}
		for _, w := range s.watched {
			if s.watching().concerns(w, ran, lane) && w.holds(space, first, n) {
				return &Write{Expr: w.Expr, At: w, Pos: s.code().Site(g.PC()).Pos, Group: ran, Lane: lane}
			}
		}
	}
	return nil
}

// concerns reports whether a lane can write to a place at all: registers are of one lane, shared memory of one workgroup.
func (s watching) concerns(w *Watchpoint, group uint64, lane int) bool {
	if w.spot.space == vm.SpaceRegs {
		return group == w.group && lane == w.lane
	}
	return w.spot.space < int32(len(s.tree.Buffers)) || group == w.group
}

// holds reports whether one of n words of a space is of the place.
func (w *Watchpoint) holds(space int32, first, n int) bool {
	return space == w.spot.space && slices.ContainsFunc(w.words, func(at int) bool { return at >= first && at < first+n })
}

// outcome completes a write that is about to happen with the values before and after. Where the history has another
// workgroup's turn first, that one runs first.
func (s watching) outcome(w *Write) *Write {
	now, none := s.m.now, make([]bool, len(s.code().Instrs))
	for ran, n := uint64(0), 0; n == 0 || ran != w.Group; {
		w.Old = s.watching().value(w.At)
		ran, n = s.m.forward(w.Group, 1, none)
	}
	w.New = s.watching().value(w.At)
	s.m.seek(now)
	return w
}

// setBetween reports whether the user has set a word of a place after one time and up to another.
func (s watching) setBetween(w *Watchpoint, from, to uint64) bool {
	return slices.ContainsFunc(s.m.log, func(e entry) bool {
		return e.act == actPoke && e.start > from && e.start <= to && s.watching().concerns(w, e.group, e.poke.lane) && w.holds(e.poke.space, e.poke.at, 1)
	})
}

func (s watching) value(w *Watchpoint) Value {
	v := Value{Type: w.spot.t}
	for _, at := range w.words {
		v.Words = append(v.Words, s.scope().word(w.spot.space, at))
	}
	return v
}

// parseAt checks an expression in the scope of an instruction; it may not change anything.
func (s *Session) parseAt(text string, pc int) (tree.Expr, error) {
	var locals []*tree.Variable
	call := s.code().Site(pc).Call
	for _, v := range s.m.lowered.Vars {
		if pc >= v.From && pc < v.To && (v.Call == call || v.Variable.Kind == tree.VarGlobal) {
			locals = append(locals, v.Variable)
		}
	}
	locals = append(locals, s.scope().images(call)...)
	x, err := glsl.Expression(text, s.tree, locals)
	if err != nil {
		return nil, s.scope().advised(err, locals)
	}
	return x, changesNothing(x)
}
