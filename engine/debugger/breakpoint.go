package debugger

import (
	"fmt"
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Breakpoint stops a run before a source line. It hits when a lane comes there for which the condition
// holds; the selected lane is preferred, else the first such lane is selected.
type Breakpoint struct {
	ID        int
	File      string
	Line      int  // with code
	Asked     int  // line asked for; code begins at Line
	Statement bool // of the kernel: breakpoint(CONDITION);
	BreakOptions
	pcs    map[int]bool
	tally  tally
	log    message
	parsed map[string]tree.Expr // by text and instruction
	alone  *lane                // the only one that counts; nil for any
	until  bool                 // of Until: to come there is a step
}

// BreakOptions say when a breakpoint stops a run and what it does. Their zero value stops always.
type BreakOptions struct {
	Condition string // expression of type bool, "" for none
	Hits      Hits   // which of its hits count
	Log       string // text with {EXPR} in it to report in place of stopping, "" to stop
	Once      bool   // the breakpoint goes when it has stopped a run
}

// lane names a lane of a workgroup.
type lane struct {
	group uint64
	lane  int
}

// Break sets a breakpoint on a line, or on the next one with code. File "" is the kernel's own.
func (s *Session) Break(file string, line int, o BreakOptions) (*Breakpoint, error) {
	b, err := s.lines().newBreak(file, line)
	if err != nil {
		return nil, err
	}
	if b.log, err = s.scope().parseMessage(o.Log, b.firstPC()); err != nil {
		return nil, err
	}
	if err := s.SetCondition(b, o.Condition); err != nil {
		return nil, err
	}
	b.BreakOptions = o
	s.nextID++
	s.breaks = append(s.breaks, b)
	return b, nil
}

// Rebreak sets the breakpoints of another session at the lines that they were asked for, with their numbers. Those that have no place
// here, or whose conditions mean nothing here, are returned.
func Rebreak(s *Session, list []*Breakpoint) (lost []*Breakpoint) {
	own, last := s.breaks, 0
	s.breaks = nil
	for _, old := range list {
		last = max(last, old.ID)
		b, err := s.Break(old.File, old.Asked, old.BreakOptions)
		if err != nil {
			lost = append(lost, old)
			continue
		}
		b.ID, b.alone = old.ID, old.alone
	}
	s.nextID = last + 1
	for _, b := range own { // statements of the text, which may be more than before
		if slices.ContainsFunc(list, func(x *Breakpoint) bool { return x.ID == b.ID }) {
			b.ID = s.nextID
		}
		s.nextID = max(s.nextID, b.ID) + 1
	}
	s.breaks = append(own, s.breaks...)
	return lost
}

// ownFile is the file that lines without one are of: the kernel's, or where that is skipped the one where the session
// stands.
func (s lines) ownFile() string {
	file := s.tree.Main.Pos.File
	if here := s.Here("").Pos.File; s.skip(file) && !s.skip(here) {
		return here
	}
	return file
}

func (s lines) newBreak(file string, line int) (*Breakpoint, error) {
	if file == "" {
		file = s.ownFile()
	}
	at := s.lines().lineWithCode(file, line)
	if at == 0 {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("%s:%d: no code at or after this line", file, line), Fix: "choose a line inside a function that main calls"}
	}
	return &Breakpoint{ID: s.nextID, File: file, Line: at, Asked: line, pcs: s.lines().firsts(file, at)}, nil
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
	b.Condition, b.tally = condition, tally{}
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
func (s lines) lineWithCode(file string, line int) int {
	best := 0
	for pc := range s.code().Instrs {
		if pos := s.code().Site(pc).Pos; pos.File == file && pos.Line >= line && (best == 0 || pos.Line < best) && s.lines().isStatement(pc) {
			best = pos.Line
		}
	}
	return best
}

// firsts finds the first instruction of a line in each inlined call.
func (s lines) firsts(file string, line int) map[int]bool {
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

// Only makes a breakpoint hit for one lane of a workgroup and no other, whatever its condition is.
func (b *Breakpoint) Only(group uint64, laneAt int) { b.alone = &lane{group, laneAt} }

// Breakpoints lists the breakpoints in the order in which they were set.
func (s *Session) Breakpoints() []*Breakpoint { return slices.Clone(s.breaks) }

// Clear removes a breakpoint and reports whether there was one.
func (s *Session) Clear(id int) bool {
	n := len(s.breaks)
	s.breaks = slices.DeleteFunc(s.breaks, func(b *Breakpoint) bool { return b.ID == id })
	return len(s.breaks) < n
}

// arrivals decides what it means that a workgroup has come to a breakpoint.
type arrivals struct{ *Session }

// reached says at which breakpoint the workgroup that ran stands and for which lane it holds. Breakpoints that only
// report do so when the run is a forward one.
func (s arrivals) reached(ran uint64, d Direction) (*Breakpoint, int) {
	var stop *Breakpoint
	at := 0
	for _, b := range s.breaks {
		l, ok := s.arrivals().holds(b, ran)
		if !ok || !b.counts(s.m.now) {
			continue
		}
		switch {
		case b.Log == "":
			if stop == nil {
				stop, at = b, l
			}
		case d == Forward:
			s.arrivals().report(b, ran, l)
		}
	}
	return stop, at
}

// holds finds the lane for which a breakpoint holds where a workgroup stands: the selected one, or the first.
func (s arrivals) holds(b *Breakpoint, ran uint64) (int, bool) {
	g := s.m.groups[ran]
	if !b.pcs[g.PC()] {
		return 0, false
	}
	if b.alone != nil {
		return b.alone.lane, b.alone.group == ran && g.Active(b.alone.lane)
	}
	group, lane := s.groupAt, s.lane
	defer func() { s.groupAt, s.lane = group, lane }()
	s.groupAt = ran
	for i := -1; i < s.code().Lanes(); i++ {
		if s.lane = i; i < 0 {
			s.lane = lane
		}
		if g.Active(s.lane) && s.arrivals().isTrue(b) {
			return s.lane, true
		}
	}
	return 0, false
}

// isTrue evaluates the condition of a breakpoint for the selected lane. One that cannot be evaluated does not hold.
func (s arrivals) isTrue(b *Breakpoint) bool {
	if b.Condition == "" {
		return true
	}
	x := s.arrivals().parsed(b, b.Condition)
	if x == nil {
		return false
	}
	v, err := s.scope().eval(x)
	return err == nil && v.Words[0] != 0
}

// parsed parses an expression of a breakpoint where the selected workgroup stands, once for each instruction. It gives
// nil for one that means nothing there.
func (s arrivals) parsed(b *Breakpoint, text string) tree.Expr {
	key := fmt.Sprintf("%d %s", s.group().PC(), text)
	x, ok := b.parsed[key]
	if !ok {
		x, _ = s.scope().parse(text)
		if b.parsed == nil {
			b.parsed = map[string]tree.Expr{}
		}
		b.parsed[key] = x
	}
	return x
}
