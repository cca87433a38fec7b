package stats

import (
	"slices"

	"vyretop/megakernel"
)

// spent is ticks that one or more workers have spent.
type spent struct{ all, handlers, idle uint64 }

// spentBetween is what a worker has spent between two records; its counters wrap. A record that was read while
// the worker wrote it may have parts that are a little ahead of the whole.
func spentBetween(before, now *megakernel.Worker) spent {
	s := spent{uint64(now.Ticks - before.Ticks), uint64(now.Handlers - before.Handlers), uint64(now.Idle - before.Idle)}
	s.handlers = min(s.handlers, s.all)
	s.idle = min(s.idle, s.all-s.handlers)
	return s
}

func (s *spent) add(o spent) {
	s.all, s.handlers, s.idle = s.all+o.all, s.handlers+o.handlers, s.idle+o.idle
}

// share fills out and returns it, or nil where no time was spent.
func (s *spent) share(out *Share) *Share {
	if s.all == 0 {
		return nil
	}
	all := float64(s.all)
	*out = Share{Handler: float64(s.handlers) / all, Idle: float64(s.idle) / all, Claim: float64(s.all-s.handlers-s.idle) / all}
	out.Busy = out.Claim + out.Handler
	return out
}

// unitTally adds up what the workers on each unit of the device have spent.
type unitTally map[int]*unitSpent

type unitSpent struct {
	spent
	workers int
}

// add returns the number of the unit that a worker's record names, nil where that is unknown.
func (t unitTally) add(word uint32, s spent) *int {
	if word == 0 {
		return nil
	}
	unit := int(word) - 1
	if t[unit] == nil {
		t[unit] = &unitSpent{}
	}
	t[unit].spent.add(s)
	t[unit].workers++
	return &unit
}

// list is the units in order.
func (t unitTally) list() (out []Unit) {
	for id, s := range t {
		u := Unit{ID: id, Workers: s.workers}
		if share := s.share(new(Share)); share != nil {
			u.Busy = share.Busy
		}
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b Unit) int { return a.ID - b.ID })
	return out
}
