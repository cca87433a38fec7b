package debugger

import (
	"vyretop/engine/reference/vm"
)

// Kind is how far a step goes.
type Kind uint8

// The kinds of a step.
const (
	Into        Kind = iota // to another line, into calls too
	Over                    // to another line of the same call or of a caller
	Out                     // out of the innermost call
	Barrier                 // to the next barrier
	Instruction             // to the next instruction
)

// Direction is that of time.
type Direction bool

// The directions.
const (
	Forward Direction = false
	Back    Direction = true
)

// lines tells what instructions belong to which line.
type lines struct{ *Session }

// lineKey is a source line in one inlined call.
type lineKey struct {
	file string
	line int
	call int32
}

func (s lines) key(pc int) lineKey {
	site := s.code().Site(pc)
	return lineKey{site.Pos.File, site.Pos.Line, site.Call}
}

// isStatement reports whether a debugger stops at an instruction: not where lanes only meet again, nor in a file that
// is skipped.
func (s lines) isStatement(pc int) bool {
	if s.skip(s.code().Site(pc).Pos.File) {
		return false
	}
	switch s.code().Instrs[pc].Op {
	case vm.OpElse, vm.OpJoin, vm.OpRejoin, vm.OpMerge, vm.OpRepeat, vm.OpEnter, vm.OpEnd:
		return false
	}
	return true
}

// depth is how many calls are open at an instruction.
func (s lines) depth(pc int) int {
	n := 0
	for c := s.code().Site(pc).Call; c >= 0; c = s.code().Calls[c].Parent {
		n++
	}
	return n
}

// marks makes a set of instructions.
func (s lines) marks(in func(pc int) bool) []bool {
	set := make([]bool, len(s.code().Instrs))
	for pc := range set {
		set[pc] = in(pc)
	}
	return set
}

// Step continues, or back, by a step of the selected lane.
func (s *Session) Step(k Kind, d Direction) Stop {
	g := s.group()
	if g == nil || g.State() == vm.Ended && d == Forward {
		return s.Continue(d)
	}
	if d == Back {
		return s.run().stepBack(k, g.PC())
	}
	start, depth := s.lines().key(g.PC()), s.lines().depth(g.PC())
	if k == Out && depth == 0 {
		depth = -1
	}
	begun := s.lines().isStatement(g.PC())
	stops := s.lines().marks(func(pc int) bool {
		if k == Barrier {
			op := s.code().Instrs[pc].Op
			return op == vm.OpBarrier || op == vm.OpGridBarrier
		}
		if !s.lines().isStatement(pc) {
			return false
		}
		switch key := s.lines().key(pc); k {
		case Instruction:
			return true
		case Out:
			return s.lines().depth(pc) < depth
		case Over:
			return s.lines().depth(pc) < depth || s.lines().depth(pc) == depth && (!begun || key != start)
		default:
			return !begun || key != start
		}
	})
	hit := func(ran uint64) bool { return ran == s.groupAt && s.group().Active(s.lane) }
	reason, _ := s.run().forward(rule{stops: stops, hit: hit, alone: true, limit: stepLimit})
	if reason == "" {
		reason = Stepped
	}
	return s.Here(reason)
}

// place is a time at which the selected lane comes to a line.
type place struct {
	at  uint64
	key lineKey
}

// trail is what a stretch of the history shows of the selected lane.
type trail struct {
	first, last place
	event       uint64 // the last time it came to another line, 0 if never
	any         bool
}

// stepBack goes to the last time before now at which the lane came to a line.
func (s runner) stepBack(k Kind, pc int) Stop {
	depth := 1 << 30
	switch k {
	case Over:
		depth = s.lines().depth(pc)
	case Out:
		depth = s.lines().depth(pc) - 1
	case Instruction:
		return s.run().backTo(Stepped, s.lines().marks(s.lines().isStatement))
	case Barrier:
		return s.run().backTo(AtBarrier, s.lines().marks(func(pc int) bool {
			op := s.code().Instrs[pc].Op
			return op == vm.OpBarrier || op == vm.OpGridBarrier
		}))
	}
	counts := s.lines().marks(func(pc int) bool { return s.lines().isStatement(pc) && s.lines().depth(pc) <= depth })
	var pending place
	origin := s.m.now
	for bound := origin; bound > s.first; {
		if s.ctx.Err() != nil {
			s.m.seek(origin)
			return s.Here(Interrupt)
		}
		p := s.m.points.before(bound - 1)
		s.m.restore(p)
		t := s.run().follow(bound, counts)
		bound = p.now
		if !t.any {
			continue
		}
		if pending.at > 0 && t.last.key != pending.key {
			return s.run().arrive(pending.at)
		}
		if t.event > 0 {
			return s.run().arrive(t.event)
		}
		pending = t.first
	}
	if pending.at > 0 {
		return s.run().arrive(pending.at)
	}
	return s.Here(s.toStart())
}

func (s runner) arrive(t uint64) Stop {
	s.m.seek(t)
	return s.Here(Stepped)
}

// backTo goes to the last time at which the lane came to an instruction of a set.
func (s runner) backTo(reason Reason, stops []bool) Stop {
	hit := func(ran uint64) bool { return ran == s.groupAt && s.group().Active(s.lane) }
	if why := s.run().backward(rule{stops: stops, hit: hit}); why != "" {
		reason = why
	}
	return s.Here(reason)
}

// follow replays up to a time and notes where the selected lane came.
func (s runner) follow(bound uint64, counts []bool) (t trail) {
	none := make([]bool, len(counts))
	arrived := s.m.now
	for s.m.now < bound {
		g := s.group()
		pc, active := 0, false
		if g != nil {
			pc = g.PC()
			active = arrived >= s.first && counts[pc] && g.Active(s.lane)
		}
		ran, _ := s.m.forward(0, 1, none)
		if ran != s.groupAt || g == nil {
			arrived = max(arrived, 1)
			continue
		}
		if active {
			here := place{arrived, s.lines().key(pc)}
			switch {
			case !t.any:
				t.first, t.any = here, true
			case here.key != t.last.key:
				t.event = arrived
			}
			t.last = here
		}
		arrived = s.m.now
	}
	return t
}
