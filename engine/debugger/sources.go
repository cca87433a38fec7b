package debugger

import (
	"fmt"
	"slices"

	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/vm"
)

// Files lists the source files with code at which steps stop, the kernel's own first.
func Files(s *Session) []string {
	var list []string
	if main := s.tree.Main.Pos.File; !s.skip(main) {
		list = append(list, main)
	}
	for pc := range s.code().Instrs {
		if f := s.code().Site(pc).Pos.File; f != "" && !s.skip(f) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}

// CodeLines lists the lines of a file with code, ascending.
func CodeLines(s *Session, file string) []int {
	var list []int
	for pc := range s.code().Instrs {
		if pos := s.code().Site(pc).Pos; pos.File == file && s.lines().isStatement(pc) {
			list = append(list, pos.Line)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Instr is one instruction of the reference interpreter.
type Instr struct {
	Number int
	Text   string
	Pos    source.Pos
}

// Disassemble lists the instructions from one number up to another, as far as there are any.
func Disassemble(s *Session, from, to int) []Instr {
	var list []Instr
	for pc := max(from, 0); pc < min(to, len(s.code().Instrs)); pc++ {
		list = append(list, Instr{pc, vm.InstrText(s.code(), pc), s.code().Site(pc).Pos})
	}
	return list
}

// PC is the number of the instruction that the selected workgroup stands before; false where it is not under way.
func PC(s *Session) (int, bool) {
	g := s.group()
	if g == nil {
		return 0, false
	}
	return g.PC(), true
}

// String says what happened, with the index of an access out of range.
func (u Undefined) String() string {
	if u.Len == 0 {
		return u.What
	}
	return fmt.Sprintf("%s: index %d of %d", u.What, u.Index, u.Len)
}

// DivisionByZero reports whether it was a division or a remainder by zero, and not an access out of range.
func (u Undefined) DivisionByZero() bool { return u.What == vm.DivisionByZero.String() }
