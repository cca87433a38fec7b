package breakpoint

import (
	"fmt"

	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/tasks"
)

// Kind says what a step of a program does.
type Kind uint8

// The kinds, as the device knows them.
const (
	Test = Kind(megakernel.BreakTest)
	And  = Kind(megakernel.BreakAnd)
	Or   = Kind(megakernel.BreakOr)
	Not  = Kind(megakernel.BreakNot)
)

// Field is what a test looks at: a word of the task by its number, or one of those below.
type Field uint8

// The fields beside the words of a task.
const (
	Worker = Field(megakernel.BreakWorker)
	Slot   = Field(megakernel.BreakSlot)
	Epoch  = Field(megakernel.BreakEpoch)
)

// Accept says which outcomes of a comparison pass a test.
type Accept uint8

// The outcomes: the field is less than the value, equal to it, greater.
const (
	Less    Accept = 1
	Equal   Accept = 2
	Greater Accept = 4
)

// Step is one step of a program. Field, Accept and Value are those of a test.
type Step struct {
	Kind   Kind   `json:"kind"`
	Field  Field  `json:"field,omitempty"`
	Accept Accept `json:"accept,omitempty"`
	Value  uint32 `json:"value,omitempty"`
}

// Program is a condition in postfix order: a test pushes a bit, the others combine the topmost ones.
type Program []Step

// MaxSteps bounds a program.
const MaxSteps = megakernel.BreakSteps - 2

// Validate checks that the device can run the program. The error is an *Error.
func (p Program) Validate() error {
	if len(p) > MaxSteps {
		return &fault.Error{Kind: ErrCondition, Subject: "breakpoint", Detail: fmt.Sprintf("the condition has %d comparisons and connectives, at most %d fit", len(p), MaxSteps), Fix: "write a shorter one, or several breakpoints"}
	}
	depth := 0
	for _, s := range p {
		need, change := 2, -1
		switch s.Kind {
		case Test:
			need, change = 0, 1
		case Not:
			need, change = 1, 0
		case And, Or:
		default:
			return broken
		}
		if depth < need || s.Field > Epoch {
			return broken
		}
		depth += change
	}
	if depth != 1 {
		return broken
	}
	return nil
}

var broken = &fault.Error{Kind: ErrCondition, Subject: "breakpoint", Detail: "the program of the condition is broken", Fix: "write the condition in words"}

// At is where a task is about to be activated.
type At struct{ Worker, Slot, Epoch uint32 }

// Match reports whether a task with these words that is about to be activated fulfils the condition. The program is valid.
func (p Program) Match(words *[tasks.SlotWords]uint32, at At) bool {
	stack := uint32(0)
	for _, s := range p {
		top := stack & 1
		switch s.Kind {
		case Test:
			stack <<= 1
			if s.accepts(words, at) {
				stack |= 1
			}
		case And:
			stack = stack >> 1 & (^uint32(1) | top)
		case Or:
			stack = stack>>1 | top
		case Not:
			stack ^= 1
		}
	}
	return stack&1 != 0
}

func (s *Step) accepts(words *[tasks.SlotWords]uint32, at At) bool {
	have := at.Slot
	switch {
	case s.Field < tasks.SlotWords:
		have = words[s.Field]
	case s.Field == Worker:
		have = at.Worker
	case s.Field == Epoch:
		have = at.Epoch
	}
	outcome := Greater
	if have < s.Value {
		outcome = Less
	} else if have == s.Value {
		outcome = Equal
	}
	return s.Accept&outcome != 0
}

// Uses reports whether the condition looks at a field.
func (p Program) Uses(f Field) bool {
	for _, s := range p {
		if s.Kind == Test && s.Field == f {
			return true
		}
	}
	return false
}

// Append writes the program and its end in the device's words behind dst; place is the breakpoint's, before
// the hits of that place until now.
func (b *Breakpoint) Append(dst []uint32, place int, before uint32) []uint32 {
	for _, s := range b.Program {
		dst = append(dst, uint32(s.Kind)|uint32(s.Accept)<<megakernel.BreakAcceptBit|uint32(s.Field)<<megakernel.BreakFieldBit, s.Value)
	}
	end := b.End(place, before)
	return append(dst, end[:]...)
}

// End is the words of the end of the breakpoint: of its program, or of its stop in the kernel.
func (b *Breakpoint) End(place int, before uint32) [megakernel.StopWords]uint32 {
	does := map[Action]uint32{Stop: megakernel.BreakStop | megakernel.BreakLog, Log: megakernel.BreakLog}[b.Action]
	return [...]uint32{megakernel.BreakEnd | does<<megakernel.BreakAcceptBit | uint32(place)<<megakernel.BreakFieldBit, before, b.Every, b.After}
}
