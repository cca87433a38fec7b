package debugger

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Words are consecutive words of a memory.
type Words struct {
	Memory string // name of the buffer, or "shared"
	From   int    // of the first, in the memory
	Total  int    // words that the memory has
	Words  []uint32
}

// Examine reads n words of a buffer or of shared memory, from skip words after the place that an expression names.
func (s *Session) Examine(expr string, skip, n int) (Words, error) {
	x, err := s.scope().parse(expr)
	if err != nil {
		return Words{}, err
	}
	p, err := s.scope().locate(x)
	if err != nil {
		return Words{}, err
	}
	if p.space == vm.SpaceRegs {
		return Words{}, unsupported(expr+" is a variable of the lane, not in memory", "print it, or name a member of a buffer or shared memory")
	}
	return s.scope().words(p.space, p.at+skip, n)
}

func (s scope) words(space int32, from, n int) (Words, error) {
	memory := s.scope().memory(space)
	w := Words{Memory: s.scope().memoryName(space), From: from, Total: len(memory)}
	if from >= len(memory) && n > 0 {
		return w, unsupported(fmt.Sprintf("word %d of %s is out of range: there are %d words", from, w.Memory, len(memory)), "begin below the size; buffers lists them")
	}
	w.Words = append(w.Words, memory[from:min(from+min(n, maxElements), len(memory))]...)
	return w, nil
}

// memory gives the words of a buffer, or of the selected workgroup's shared memory.
func (s scope) memory(space int32) []uint32 {
	if g := s.group(); g != nil {
		return g.Memory(int(space))
	}
	return s.m.memory[space]
}

func (s scope) memoryName(space int32) string {
	if int(space) < len(s.tree.Buffers) {
		return s.tree.Buffers[space].Name
	}
	return "shared"
}

// Memory is a buffer of the kernel.
type Memory struct {
	Name    string
	Binding uint32
	Words   int
	Members []string // names that an expression can begin with
}

// Contents copies the words of the buffer with a binding as they are at this time; nil where the kernel has none.
func (s *Session) Contents(binding uint32) []uint32 {
	for i, b := range s.tree.Buffers {
		if uint32(b.Binding) == binding {
			return slices.Clone(s.m.memory[i])
		}
	}
	return nil
}

// Buffers lists the buffers of the kernel.
func (s *Session) Buffers() []Memory {
	var list []Memory
	for i, b := range s.tree.Buffers {
		m := Memory{Name: b.Name, Binding: uint32(b.Binding), Words: len(s.m.memory[i])}
		for _, member := range b.Block.Members {
			name := member.Name
			if b.Instance != "" {
				name = b.Instance + "." + name
			}
			m.Members = append(m.Members, name)
		}
		list = append(list, m)
	}
	return list
}

// Builtins are the variables that GLSL declares.
var Builtins = []string{"gl_NumWorkGroups", "gl_WorkGroupID", "gl_LocalInvocationID", "gl_GlobalInvocationID", "gl_LocalInvocationIndex", "gl_WorkGroupSize"}

// Names lists what an expression can begin with where the selected lane stands: variables, members of buffers, shared
// variables and inputs.
func (s *Session) Names() []string {
	return s.scope().namesWith(s.scope().locals())
}

// namesWith lists locals, and what can be named everywhere.
func (s scope) namesWith(locals []*tree.Variable) []string {
	var list []string
	for _, v := range locals {
		if v.Image == nil {
			list = append(list, v.Name)
			continue
		}
		for _, m := range v.Image.Block.Members {
			list = append(list, v.Name+"."+m.Name)
		}
	}
	var skipped []string // of the text that calls what is debugged
	for i, b := range s.Buffers() {
		if s.skip(s.tree.Buffers[i].Pos.File) {
			skipped = append(skipped, b.Members...)
			continue
		}
		list = append(list, b.Members...)
	}
	for _, v := range slices.Concat(s.tree.Shared, s.tree.Constants) {
		if s.skip(v.Pos.File) {
			skipped = append(skipped, v.Name)
			continue
		}
		list = append(list, v.Name)
	}
	list = append(list, skipped...)
	return append(list, Builtins...)
}
