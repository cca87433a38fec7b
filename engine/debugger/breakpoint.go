package debugger

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
	"vyretop/fault"
)

// Breakpoint stops a run before a source line. It hits when a lane comes there for which the condition
// holds; the selected lane is preferred, else the first such lane is selected.
type Breakpoint struct {
	ID        int
	File      string
	Line      int    // with code
	Asked     int    // line asked for; code begins at Line
	Condition string // "" for none
	pcs       map[int]bool
}

// Break sets a breakpoint on a line, or on the next one with code. File "" is the kernel's own. Condition
// may be empty.
func (s *Session) Break(file string, line int, condition string) (*Breakpoint, error) {
	if file == "" {
		file = s.tree.Main.Pos.File
	}
	at := s.lineWithCode(file, line)
	if at == 0 {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("%s:%d: no code at or after this line", file, line), Fix: "choose a line inside a function that main calls"}
	}
	b := &Breakpoint{ID: s.nextID, File: file, Line: at, Asked: line, pcs: s.firsts(file, at)}
	if err := s.SetCondition(b, condition); err != nil {
		return nil, err
	}
	s.nextID++
	s.breaks = append(s.breaks, b)
	return b, nil
}

// SetCondition changes the condition of a breakpoint; it must be a bool where the breakpoint is.
func (s *Session) SetCondition(b *Breakpoint, condition string) error {
	if condition != "" {
		x, err := s.parseAt(condition, b.firstPC())
		if err != nil {
			return err
		}
		if x.Type() != tree.Bool {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the condition is of type %v", x.Type()), Fix: "write a comparison, such as i == 5u"}
		}
	}
	b.Condition = condition
	return nil
}

func (b *Breakpoint) firstPC() int {
	low := vm.MaxInstrs
	for pc := range b.pcs {
		low = min(low, pc)
	}
	return low
}

// lineWithCode is the first line at or after line with code, or 0.
func (s *Session) lineWithCode(file string, line int) int {
	best := 0
	for pc := range s.code().Instrs {
		if pos := s.code().Site(pc).Pos; pos.File == file && pos.Line >= line && (best == 0 || pos.Line < best) && s.lines().isStatement(pc) {
			best = pos.Line
		}
	}
	return best
}

// firsts finds the first instruction of a line in each inlined call.
func (s *Session) firsts(file string, line int) map[int]bool {
	pcs, calls := map[int]bool{}, map[int32]bool{}
	for pc := range s.code().Instrs {
		site := s.code().Site(pc)
		if site.Pos.File == file && site.Pos.Line == line && !calls[site.Call] && s.lines().isStatement(pc) {
			calls[site.Call] = true
			pcs[pc] = true
		}
	}
	return pcs
}

// Breakpoints lists the breakpoints in the order in which they were set.
func (s *Session) Breakpoints() []*Breakpoint { return slices.Clone(s.breaks) }

// Clear removes a breakpoint and reports whether there was one.
func (s *Session) Clear(id int) bool {
	n := len(s.breaks)
	s.breaks = slices.DeleteFunc(s.breaks, func(b *Breakpoint) bool { return b.ID == id })
	return len(s.breaks) < n
}

// Continue continues, or back, to the next breakpoint or write to the watched word.
func (s *Session) Continue(d Direction) Stop {
	stops := s.marks(func(pc int) bool {
		return s.watch != nil && s.mayWrite(pc) || slices.ContainsFunc(s.breaks, func(b *Breakpoint) bool { return b.pcs[pc] })
	})
	var found *Breakpoint
	var write *Write
	var lane int
	hit := func(ran uint64) bool {
		var ok bool
		if w := s.writes(ran); w != nil {
			found, write, lane = nil, w, w.Lane
			return true
		}
		b, l := s.hitBreak(ran)
		if ok = b != nil; ok {
			found, write, lane = b, nil, l
		}
		return ok
	}
	r := rule{stops: stops, hit: hit}
	var reason Reason
	if d == Forward {
		reason, _ = s.run().forward(r)
	} else if len(s.breaks) == 0 && s.watch == nil || !s.run().backward(r) {
		s.m.seek(1)
		reason = AtStart
	}
	if reason != "" {
		return s.Here(reason)
	}
	return s.stopAt(found, write, lane)
}

func (s *Session) stopAt(b *Breakpoint, w *Write, lane int) Stop {
	if w != nil {
		s.groupAt, s.lane = w.Group, lane
		stop := s.Here(Written)
		stop.Write = s.outcome(w)
		return stop
	}
	s.groupAt, s.lane = s.run().arrived(b), lane
	stop := s.Here(AtBreak)
	stop.Breakpoint = b.ID
	return stop
}

// arrived is the workgroup that stands at a breakpoint now: the one that ran last.
func (s runner) arrived(b *Breakpoint) uint64 {
	i := len(s.m.log) - 1
	for i > 0 && s.m.log[i].start >= s.m.now {
		i--
	}
	return s.m.log[i].group
}

// hitBreak finds the breakpoint that a workgroup has come to and the lane for which it holds.
func (s *Session) hitBreak(ran uint64) (*Breakpoint, int) {
	g := s.m.groups[ran]
	group, lane := s.groupAt, s.lane
	defer func() { s.groupAt, s.lane = group, lane }()
	s.groupAt = ran
	for _, b := range s.breaks {
		if !b.pcs[g.PC()] {
			continue
		}
		var x tree.Expr
		if b.Condition != "" {
			x, _ = s.parse(b.Condition)
		}
		for i := range s.code().Lanes() {
			s.lane = (lane + i) % s.code().Lanes()
			if g.Active(s.lane) && s.scope().holds(b, x) {
				return b, s.lane
			}
		}
	}
	return nil, 0
}

func (s scope) holds(b *Breakpoint, x tree.Expr) bool {
	if b.Condition == "" {
		return true
	}
	if x == nil {
		return false
	}
	v, err := s.scope().eval(x)
	return err == nil && v.Words[0] != 0
}
