package check

import (
	"cmp"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
)

// Kind says what a finding is about.
type Kind string

// The kinds of findings.
const (
	OutOfRange    Kind = "out-of-range"     // an index that no element has
	Uninitialized Kind = "uninitialized"    // a read of a variable or shared word without a value
	Race          Kind = "data-race"        // accesses that nothing orders
	Divergence    Kind = "barrier"          // barrier() that not all lanes reach
	Incoherent    Kind = "missing-coherent" // a word that another invocation wrote, in a buffer that is not coherent
	Unvolatile    Kind = "missing-volatile" // a word that is read until it changes, in a buffer that is not volatile
	Ticket        Kind = "unused-atomic"    // a read behind an atomic whose result would have been the value
	Overflow      Kind = "index-overflow"   // an index that wrapped around
	DivideByZero  Kind = "divide-by-zero"   // of integers
	Shift         Kind = "shift"            // by the width of the word or more
	NaN           Kind = "nan"              // from operands that are numbers
	Endless       Kind = "loop-budget"      // more loop rounds than the budget
)

// Kinds are all kinds, in the order of the documentation.
var Kinds = []Kind{OutOfRange, Uninitialized, Race, Divergence, Incoherent, Unvolatile, Ticket, Overflow, DivideByZero, Shift, NaN, Endless}

// Frame is an open call, or main.
type Frame struct {
	Func string     `json:"func"`
	Pos  source.Pos `json:"-"`
	File string     `json:"file"`
	Line int        `json:"line"`
	Col  int        `json:"column"`
}

// Access is what one invocation did, and where.
type Access struct {
	What      string    `json:"what"`           // as "write", "atomic"
	Task      *Task     `json:"task,omitempty"` // in a resident kernel
	Workgroup [3]uint32 `json:"workgroup"`      // gl_WorkGroupID; x is the worker in a resident kernel
	Lane      int       `json:"lane"`           // gl_LocalInvocationIndex
	Stack     []Frame   `json:"stack"`          // innermost first
}

// Finding is something that a shader should not do, at the first time it did it at a place.
type Finding struct {
	Kind   Kind   `json:"kind"`
	Text   string `json:"message"`
	Count  int    `json:"count"` // times that it was done at these places
	Access Access `json:"access"`
	Other  Access `json:"other,omitzero"` // the earlier one of a race, or the write of an incoherent read
}

// Report is what was found in one dispatch.
type Report struct {
	Findings []Finding // by place
	Left     int       // findings beyond MaxFindings, which were not kept

	Passed  int  // barriers that not all invocations reached: the run went on as if they had
	Stopped bool // a loop did not end, and the run ended there

	Unwatched bool // there were too many words, or tasks, to look for races among all of them
}

// MaxFindings bounds a report.
const MaxFindings = 1000

// place identifies a finding: its kind, the instructions, and what was done there, so that neither a read nor a write of a
// line hides the other. What a race does there is left empty: the same mistake is seen from either side.
type place struct {
	kind      Kind
	pc, other int32
	what      string
}

// firsts gives for each instruction the first one of the same line and call, so that a line is reported once.
func firsts(code *vm.Code) []int32 {
	type line struct {
		file string
		line int
		call int32
	}
	known := map[line]int32{}
	list := make([]int32, len(code.Instrs))
	for pc := range list {
		s := code.Site(pc)
		l := line{s.Pos.File, s.Pos.Line, s.Call}
		if _, ok := known[l]; !ok {
			known[l] = int32(pc)
		}
		list[pc] = known[l]
	}
	return list
}

// add counts what was found at a place; make is called for the first.
func (c *checker) add(p place, make func() Finding) {
	p.pc, p.other = c.first(p.pc), c.first(p.other)
	if i, ok := c.found[p]; ok {
		if i >= 0 {
			c.report.Findings[i].Count++
		}
		return
	}
	if len(c.report.Findings) == MaxFindings {
		c.found[p] = -1
		c.report.Left++
		return
	}
	f := make()
	f.Kind, f.Count = p.kind, 1
	c.found[p] = len(c.report.Findings)
	c.report.Findings = append(c.report.Findings, f)
}

// first is the first instruction of the line and call of one.
func (c *checker) first(pc int32) int32 {
	p, at := c.of(pc)
	return p.base + p.firsts[at]
}

// access describes what a lane of a group does at an instruction.
func (c *checker) access(what string, id [3]uint32, lane int32, pc int32) Access {
	a := Access{What: what, Workgroup: id, Lane: int(lane)}
	p, at := c.of(pc)
	pos := p.code.Site(at).Pos
	for _, call := range p.code.Stack(at) {
		switch {
		case p.roles.Caller != nil && p.roles.Caller(call.Func):
			return a
		case len(a.Stack) == 0 && p.roles.Inner != nil && p.roles.Inner(call.Func):
			pos = call.Pos
			continue
		}
		a.Stack = append(a.Stack, frame(call.Func, pos))
		pos = call.Pos
	}
	a.Stack = append(a.Stack, frame("main", pos))
	return a
}

func frame(name string, p source.Pos) Frame {
	return Frame{Func: name, Pos: p, File: p.File, Line: p.Line, Col: p.Col}
}

// sorted orders findings by place.
func sorted(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		x, y := a.Access.Stack[0], b.Access.Stack[0]
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Col, y.Col), cmp.Compare(a.Kind, b.Kind))
	})
	return list
}
