package debugger

import (
	"context"
	"fmt"
	"slices"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
	"vyretop/engine/units"
)

// Target is the dispatch to debug. The buffers are copied.
type Target struct {
	Program   *engine.Program     // within the kernel language
	Buffers   map[uint32][]uint32 // words by binding
	Grid      [3]uint32           // workgroups; zero means 1
	Workgroup [3]uint32           // size; zero: the program's own
	Group     uint64              // workgroup that begins first
	Lane      int                 // lane that is selected first
	Alone     bool                // no other lane runs what is debugged
	// Skip reports files whose lines no step stops at, such as those that call what is debugged; nil: none.
	Skip func(file string) bool
}

// Session is a dispatch under the debugger. It belongs to one goroutine.
type Session struct {
	tree      *tree.Program
	m         *machine
	groupAt   uint64 // selected
	lane      int
	breaks    []*Breakpoint
	nextID    int
	events    []Undefined
	seen      map[undefinedKey]bool
	eventKeys []undefinedKey // of events
	watched   []*Watchpoint
	frame     int // open call whose names are in scope, 0: the innermost
	onReport  func(Report)
	shown     uint64 // time of the last watched write that stopped a run
	ctx       context.Context
	skip      func(file string) bool
	trap      trap
	alone     bool      // Target.Alone
	first     uint64    // time before which runs back do not go
	activity  *activity // what was counted last; nil: nothing
}

// Reason says why a session stands still.
type Reason string

// The reasons.
const (
	Stepped   Reason = "step"
	AtBreak   Reason = "breakpoint"
	Written   Reason = "write"
	AtBarrier Reason = "barrier"
	Ended     Reason = "ended"     // all workgroups have ended
	LaneEnded Reason = "group end" // the stepped workgroup has ended
	Failed    Reason = "failed"
	AtStart   Reason = "start" // of the history
	Limited   Reason = "limit"
	Interrupt Reason = "interrupted"
	AtFault   Reason = "fault"     // before the statement that asks for the fault of a task
	Trapped   Reason = "undefined" // before an operation that StopOnUndefined is about
)

// Stop says where a session stands and why.
type Stop struct {
	Reason     Reason
	Pos        source.Pos
	Group      uint64
	Lane       int
	Time       uint64 // instructions and other events since the start
	Breakpoint int    // its number, of AtBreak
	Write      *Write // of Written
	Detail     string // of Failed and Trapped, and of a write whose value a set has replaced
}

// maxWorkgroups bounds a grid so that its numbers fit.
const maxWorkgroups = 1 << 40

// outside says why a program cannot be debugged that has no tree.
func outside(p *engine.Program) error {
	e := &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("cannot debug %q: it is outside the kernel language", p.Name), Fix: "run vyretop check on it and keep to docs/kernel-language.md"}
	if len(p.Outside) > 0 {
		e.Cause, e.Fix = p.Outside, "" // each place says its own
	}
	return e
}

// Open starts a session at the beginning of the target's first workgroup.
func Open(t Target) (*Session, error) {
	p, err := t.Program.WithWorkgroup(t.Workgroup)
	if err != nil {
		return nil, err
	}
	if p.Tree == nil {
		return nil, outside(p)
	}
	low, err := lower.LowerToSet(p.Tree)
	if err != nil {
		return nil, err
	}
	code, err := vm.Verify(low.Code)
	if err != nil {
		return nil, err
	}
	m := &machine{lowered: low, verified: code, written: writes(low.Code), grid: t.Grid, total: 1, budget: reference.DefaultIterationBudget, groups: map[uint64]*vm.Group{}}
	for i := range m.grid {
		m.grid[i] = max(m.grid[i], 1)
		m.total *= uint64(m.grid[i])
		if m.total > maxWorkgroups {
			return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("the grid %s has too many workgroups", units.Extent(m.grid)), Fix: "give a smaller --grid"}
		}
	}
	if t.Group >= m.total || t.Lane < 0 || t.Lane >= low.Code.Lanes() {
		return nil, &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("workgroup %d, lane %d is outside the grid", t.Group, t.Lane), Fix: fmt.Sprintf("use workgroups below %d and lanes below %d", m.total, low.Code.Lanes())}
	}
	if m.linked, m.memory, err = link(code, low, t.Buffers); err != nil {
		return nil, err
	}
	s := &Session{tree: p.Tree, m: m, groupAt: t.Group, lane: t.Lane, nextID: 1, seen: map[undefinedKey]bool{}, ctx: context.Background(), skip: t.Skip, alone: t.Alone, first: 1}
	if s.skip == nil {
		s.skip = func(file string) bool { return file == glsl.ImageFile }
	}
	s.lines().addStatements()
	m.observe, m.forgotten = s, func(now uint64) {
		s.arrivals().forgotten(now)
		s.activity = nil
	}
	m.points.add(m)
	m.do(entry{act: actBegin, group: t.Group})
	m.points.add(m)
	return s, nil
}

func link(code *vm.Verified, low *lower.Result, buffers map[uint32][]uint32) (*vm.Linked, [][]uint32, error) {
	memory := make([][]uint32, len(low.Code.Spaces))
	bound := make([]vm.Memory, len(memory))
	for i, s := range low.Code.Spaces {
		if s.Shared {
			continue
		}
		memory[i] = slices.Clone(buffers[s.Binding])
		if memory[i] == nil {
			memory[i] = make([]uint32, s.Words)
		}
		bound[i].Words = memory[i]
	}
	linked, err := code.Link(bound)
	if err != nil {
		return nil, nil, &fault.Error{Kind: ErrRequest, Detail: "bind buffers", Cause: err, Fix: "give the buffer at least that many words"}
	}
	return linked, memory, nil
}

// ErrRequest is the kind of every error of a session.
const ErrRequest fault.Kind = "debugger request cannot be served"

func (s *Session) code() *vm.Code   { return s.m.lowered.Code }
func (s *Session) group() *vm.Group { return s.m.groups[s.groupAt] }

// Here says where the selected lane stands.
func (s *Session) Here(r Reason) Stop {
	stop := Stop{Reason: r, Group: s.groupAt, Lane: s.lane, Time: s.m.now}
	if g := s.group(); g != nil {
		stop.Pos = s.code().Site(g.PC()).Pos
		if g.State() == vm.Failed {
			stop.Pos = s.code().Site(g.Fault().PC).Pos
			stop.Detail = [...]string{vm.FaultBudget: "a lane ran more loop rounds than its budget", vm.FaultBarrier: "barrier() was not reached by all lanes"}[g.Fault().Kind]
		}
	}
	if r == Trapped && s.trap.found != nil {
		stop.Detail = s.trap.found.String()
	}
	return stop
}

// Select makes a workgroup and a lane the ones that steps and expressions are of. A workgroup that has
// not begun begins.
func (s *Session) Select(group uint64, lane int) error {
	if group >= s.m.total || lane < 0 || lane >= s.code().Lanes() {
		return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("workgroup %d, lane %d does not exist", group, lane), Fix: fmt.Sprintf("use workgroups below %d and lanes below %d", s.m.total, s.code().Lanes())}
	}
	if s.m.group(group) == nil {
		if s.m.begun.all[group] {
			return &fault.Error{Kind: ErrRequest, Detail: fmt.Sprintf("workgroup %d is not under way at this time", group), Fix: "select one that is, or go to another time"}
		}
		s.m.do(entry{act: actBegin, group: group})
	}
	s.groupAt, s.lane = group, lane
	return nil
}

func (s *Session) run() runner        { return runner{s} }
func (s *Session) lines() lines       { return lines{s} }
func (s *Session) scope() scope       { return scope{s} }
func (s *Session) arrivals() arrivals { return arrivals{s} }
func (s *Session) watching() watching { return watching{s} }
