package debugger

import (
	"context"
	"slices"

	"vyretop/engine/reference/vm"
)

// Instructions that a workgroup runs before another gets a turn, those of a step on one line, and the
// workgroups that take turns.
const (
	turn      = 1 << 16
	stepLimit = 1 << 22
	together  = 16
)

// runner moves a session in time.
type runner struct{ *Session }

// rule says where a run stops: before an instruction in stops for which hit holds.
type rule struct {
	stops []bool
	hit   func(ran uint64) bool
	alone bool // only the selected workgroup runs, as long as it can
	limit uint64
}

// forward runs until the rule holds. It leaves where it stands; stopped is false when nothing more can run.
func (s runner) forward(r rule) (reason Reason, hit bool) {
	begin := s.m.now
	running := s.groupAt
	for {
		if s.ctx.Err() != nil {
			return Interrupt, false
		}
		if r.limit > 0 && s.m.now-begin >= r.limit {
			return Limited, false
		}
		var reason Reason
		if !s.m.past() {
			last := running
			if running, reason = s.pick(last, r.alone); reason != "" {
				if s.group() == nil && s.m.groups[last] != nil {
					s.groupAt = last // the selected workgroup has gone; what ran last stands for the end
				}
				return reason, false
			}
		}
		from, known := s.m.now, len(s.events)
		s.trap.found = nil
		ran, n := s.m.forward(running, turn, r.stops)
		if s.run().trapped(from, known) {
			return Trapped, false
		}
		g := s.m.groups[ran]
		if g == nil || n == 0 {
			continue
		}
		if g.State() == vm.Failed {
			s.groupAt = ran
			return Failed, false
		}
		if g.State() != vm.Ended && r.stops[g.PC()] && r.hit(ran) {
			return "", true
		}
		if r.alone && ran == s.groupAt && g.State() == vm.Ended {
			return LaneEnded, false
		}
		if n == turn && !r.alone && !s.m.past() {
			running = s.next(running)
		}
	}
}

// pick says which workgroup runs at the end of the history; it begins others when it has to.
func (s runner) pick(prefer uint64, alone bool) (uint64, Reason) {
	for {
		waiting := false
		for _, n := range s.order(prefer) {
			switch s.m.groups[n].State() {
			case vm.Running:
				return n, ""
			case vm.Failed:
				return 0, Failed
			case vm.Waiting:
				waiting = true
			}
		}
		if n, ok := s.unbegun(); ok && (!alone || waiting) {
			s.m.do(entry{act: actBegin, group: n})
			continue
		}
		if !waiting {
			return 0, Ended
		}
		s.m.do(entry{act: actRelease})
	}
}

// order lists the workgroups under way, first that which is preferred.
func (s runner) order(prefer uint64) []uint64 {
	var list []uint64
	for n := range s.m.groups {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b uint64) int {
		switch {
		case a == b:
			return 0
		case a == prefer || b != prefer && a < b:
			return -1
		}
		return 1
	})
	return list
}

// unbegun finds the lowest workgroup that has not begun.
func (s runner) unbegun() (uint64, bool) {
	n := s.m.begun.next()
	return n, n < s.m.total
}

// next is the workgroup that has its turn after another.
func (s runner) next(after uint64) uint64 {
	var list []uint64
	for _, n := range s.order(after) {
		if s.m.groups[n].State() == vm.Running {
			list = append(list, n)
		}
	}
	if n, ok := s.unbegun(); ok && len(list) < together {
		s.m.do(entry{act: actBegin, group: n})
		return n
	}
	if i := slices.IndexFunc(list, func(n uint64) bool { return n > after }); i >= 0 {
		return list[i]
	}
	return slices.Min(append(list, after))
}

// backward finds the last time before now at which a run stops, and goes there. Without one it goes to the start and says
// so; interrupted, it stays.
func (s runner) backward(r rule) Reason {
	origin := s.m.now
	for bound := origin - 1; bound > s.first; {
		if s.ctx.Err() != nil {
			s.m.seek(origin)
			return Interrupt
		}
		p := s.m.points.before(bound - 1)
		s.m.restore(p)
		found := uint64(0)
		for s.m.now < bound {
			ran, n := s.m.forward(0, int(min(bound-s.m.now, turn)), r.stops)
			if g := s.m.groups[ran]; g != nil && n > 0 && s.m.now >= s.first && g.State() != vm.Ended && r.stops[g.PC()] && r.hit(ran) {
				found = s.m.now
			}
		}
		if found > 0 {
			s.m.seek(found)
			return ""
		}
		bound = p.now
	}
	return s.toStart()
}

// toStart goes to the first time that runs back reach. A selected workgroup that has not begun then gives way to the one that has.
func (s runner) toStart() Reason {
	s.m.seek(s.first)
	if s.group() == nil {
		for n := range s.m.groups {
			s.groupAt = n
		}
	}
	return AtStart
}

// WithContext makes what follows end early when ctx does.
func (s *Session) WithContext(ctx context.Context) { s.ctx = ctx }
