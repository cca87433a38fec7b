package profile

import (
	"fmt"
	"strings"

	"vyretop/engine/reference/vm"
)

// Frame is a line in an open call, or in main.
type Frame struct {
	Func string `json:"func,omitempty"`
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// Counts are what was executed.
type Counts struct {
	Steps uint64 `json:"steps"` // of workgroups
	Lanes uint64 `json:"lanes"` // sum of the active lanes over the steps
	Words uint64 `json:"words"` // that lanes accessed in buffers
}

func (c *Counts) add(d Counts) {
	c.Steps, c.Lanes, c.Words = c.Steps+d.Steps, c.Lanes+d.Lanes, c.Words+d.Words
}

// Active is how many lanes took part in a step on average; 0 without steps.
func (c *Counts) Active() float64 {
	if c.Steps == 0 {
		return 0
	}
	return float64(c.Lanes) / float64(c.Steps)
}

// Sample is what one line executed in one stack of calls.
type Sample struct {
	Stack []Frame // innermost first
	Counts
}

// Profile is what dispatches have executed.
type Profile struct {
	Samples []Sample
	Width   int    // lanes of the largest workgroup
	Kernel  Counts // of a resident kernel's own code and of loop guards, which are in no sample

	index map[string]int // of samples, by stack
}

// Total is the sum of all samples.
func (p *Profile) Total() Counts {
	var sum Counts
	for i := range p.Samples {
		sum.add(p.Samples[i].Counts)
	}
	return sum
}

// add counts an instruction.
func (p *Profile) add(r Roles, q *program, pc int) {
	c := Counts{Steps: q.steps[pc], Lanes: q.lanes[pc], Words: q.lanes[pc] * wordsOf(q.code, pc)}
	stack, handled := stackOf(r, q, pc)
	if !handled {
		p.Kernel.add(c)
		return
	}
	var key strings.Builder
	for _, f := range stack {
		fmt.Fprintf(&key, "%s\x00%s\x00%d\x00", f.Func, f.File, f.Line)
	}
	i, ok := p.index[key.String()]
	if !ok {
		i = len(p.Samples)
		p.index[key.String()] = i
		p.Samples = append(p.Samples, Sample{Stack: stack})
	}
	p.Samples[i].add(c)
}

// stackOf is the stack of calls at an instruction, and whether the user's code is in it. The guards of loops are not: the
// kernel inserts them.
func stackOf(r Roles, q *program, pc int) (stack []Frame, handled bool) {
	code := q.code
	if q.low.Guards[pc] {
		return nil, false
	}
	pos := code.Site(pc).Pos
	for _, call := range code.Stack(pc) {
		switch {
		case call.Inserted:
			return nil, false
		case r.Caller != nil && r.Caller(call.Func):
			return stack, len(stack) > 0
		case len(stack) == 0 && r.Inner != nil && r.Inner(pos.File):
		default:
			stack = append(stack, Frame{call.Func, pos.File, pos.Line})
		}
		pos = call.Pos
	}
	return append(stack, Frame{"main", pos.File, pos.Line}), r.Caller == nil
}

// wordsOf is how many words of a buffer a lane accesses by an instruction.
func wordsOf(code *vm.Code, pc int) uint64 {
	in := &code.Instrs[pc]
	switch in.Op {
	case vm.OpOffset, vm.OpLength, vm.OpLoadReg, vm.OpStoreReg:
		return 0
	}
	if vm.Ops[in.Op].Kinds[3] != vm.KindAccess {
		return 0
	}
	a := &code.Accesses[in.C]
	switch {
	case a.Space < 0 || code.Spaces[a.Space].Shared:
		return 0
	case in.Op == vm.OpLoad || in.Op == vm.OpStore:
		return uint64(in.N)
	}
	return uint64(a.N)
}
