package debugger

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/engine/reference/vm"
)

// Enter runs the selected lane to the first line inside a call of a function, and makes that the earliest time that
// runs back reach. The error is ErrRequest where the lane does not come there; what it stands at then is the outcome.
func (s *Session) Enter(function string) (Stop, error) {
	stops := s.lines().marks(func(pc int) bool { return s.lines().isStatement(pc) && s.lines().inside(pc, function) })
	hit := func(ran uint64) bool { return ran == s.groupAt && s.group().Active(s.lane) }
	if reason, _ := s.run().forward(rule{stops: stops, hit: hit, alone: true, limit: stepLimit}); reason != "" {
		return s.Here(reason), &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("lane %d does not call %s", s.lane, function), Fix: "run to a line of another function"}
	}
	s.first = s.m.now
	return s.Here(Stepped), nil
}

// inside reports whether an instruction is of a call of a function.
func (s lines) inside(pc int, function string) bool {
	for c := s.code().Site(pc).Call; c >= 0; c = s.code().Calls[c].Parent {
		if s.code().Calls[c].Func == function {
			return true
		}
	}
	return false
}

// ReportHere gives the messages of the breakpoints at which the session stands, such as one on the first line: a run forward leaves it
// without them.
func ReportHere(s *Session) {
	g := s.group()
	if g == nil || g.State() != vm.Running {
		return
	}
	for _, b := range s.breaks {
		if lane, ok := s.arrivals().holds(b, s.groupAt); ok && b.Log != "" && b.counts(s.m.now) {
			s.arrivals().report(b, s.groupAt, lane)
		}
	}
}

// Stands reports whether the session stands at a breakpoint for which its condition holds, such as one on the first line, and the stop that this is:
// a run forward leaves it.
func Stands(s *Session, is func(*Breakpoint) bool) (Stop, bool) {
	for _, b := range s.breaks {
		if g := s.group(); g == nil || g.State() != vm.Running || !is(b) {
			continue
		}
		if lane, ok := s.arrivals().holds(b, s.groupAt); ok {
			s.lane = lane
			stop := s.Here(AtBreak)
			stop.Breakpoint = b.ID
			return stop, true
		}
	}
	return Stop{}, false
}
