package debugger

import "vyretop/engine/reference/vm"

// StopOnUndefined makes runs forward stop before operations that GLSL leaves undefined and for which f holds; nil: none.
func StopOnUndefined(s *Session, f func(Undefined) bool) { s.trap.stops, s.trap.found = f, nil }

// trap stops runs before undefined operations.
type trap struct {
	stops func(Undefined) bool
	found *Undefined // the first one since it was reset
	shown uint64     // time of the last one that stopped a run
}

// note is told of every undefined operation as it happens.
func (t *trap) note(u Undefined) {
	if t.found == nil && t.stops != nil && t.stops(u) {
		t.found = &u
	}
}

// trapped goes to the first undefined operation after a time up to now for which runs stop, if there is one. It was not
// known when the run passed it, so that stretch runs once more, one instruction at a time. known is how many events there
// were at its beginning.
func (s runner) trapped(from uint64, known int) bool {
	if s.trap.found == nil {
		return false
	}
	end, none := s.m.now, make([]bool, len(s.code().Instrs))
	s.run().unsee(known)
	for s.m.seek(from); s.m.now < end; {
		s.trap.found = nil
		at := s.m.now
		ran, _ := s.m.forward(0, 1, none)
		if u := s.trap.found; u != nil && at != s.trap.shown {
			s.m.seek(at)
			s.trap.shown, s.trap.found = at, u
			s.groupAt, s.lane = ran, u.Lane
			return true
		}
	}
	return false
}

// undefinedOf describes an undefined operation of a workgroup.
func undefinedOf(s *Session, g *vm.Group, e vm.Event) Undefined {
	return Undefined{e.Kind.String(), s.code().Site(e.PC).Pos, g.ID(), e.Lane, e.Index, e.Len}
}
