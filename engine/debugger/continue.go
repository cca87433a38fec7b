package debugger

import (
	"slices"

	"vyretop/engine/reference/vm"
)

// Continue continues, or back, to the next breakpoint or write to the watched word.
func (s *Session) Continue(d Direction) Stop {
	if !s.arrivals().count() {
		return s.Here(Interrupt)
	}
	if w := s.watching().pending(); w != nil && d == Forward {
		return s.stopAt(nil, w, w.Lane)
	}
	stops := s.lines().marks(func(pc int) bool {
		return s.watching().mayWrite(pc) || slices.ContainsFunc(s.breaks, func(b *Breakpoint) bool { return b.pcs[pc] })
	})
	var found *Breakpoint
	var write *Write
	var lane int
	r := rule{stops: stops, hit: func(ran uint64) bool {
		b, l := s.arrivals().reached(ran, d)
		switch w := s.watching().writes(ran); {
		case w != nil:
			found, write, lane = nil, w, w.Lane
		case b != nil:
			found, write, lane = b, nil, l
		default:
			return false
		}
		return true
	}}
	var reason Reason
	switch {
	case d == Forward:
		reason, _ = s.run().forward(r)
		s.arrivals().counted()
	case len(s.breaks) == 0 && len(s.watched) == 0:
		reason = s.run().toStart()
	default:
		reason = s.run().backward(r)
	}
	if reason != "" {
		return s.Here(reason)
	}
	return s.stopAt(found, write, lane)
}

// pending is the watched write that the selected workgroup stands before without having been stopped by it.
func (s watching) pending() *Write {
	if g := s.group(); len(s.watched) == 0 || s.shown == s.m.now || g == nil || g.State() != vm.Running || !s.watching().mayWrite(g.PC()) {
		return nil
	}
	return s.watching().writes(s.groupAt)
}

func (s *Session) stopAt(b *Breakpoint, w *Write, lane int) Stop {
	if w != nil {
		s.groupAt, s.lane, s.shown = w.Group, lane, s.m.now
		stop := s.Here(Written)
		stop.Write = s.watching().outcome(w)
		return stop
	}
	s.groupAt, s.lane = s.run().arrived(), lane
	if b.until {
		return s.Here(Stepped)
	}
	if b.Once {
		s.Clear(b.ID)
	}
	stop := s.Here(AtBreak)
	stop.Breakpoint = b.ID
	return stop
}

// arrived is the workgroup that ran last.
func (s runner) arrived() uint64 {
	i := len(s.m.log) - 1
	for i > 0 && s.m.log[i].start >= s.m.now {
		i--
	}
	return s.m.log[i].group
}

// Until continues, or back, until the selected lane comes to a line or the next one with code. Breakpoints stop it, too.
func (s *Session) Until(file string, line int, d Direction) (Stop, error) {
	b, err := s.lines().newBreak(file, line)
	if err != nil {
		return Stop{}, err
	}
	b.alone, b.until = &lane{s.groupAt, s.lane}, true
	s.breaks = append(s.breaks, b)
	defer func() {
		s.breaks = slices.DeleteFunc(s.breaks, func(x *Breakpoint) bool { return x == b })
	}()
	return s.Continue(d), nil
}
