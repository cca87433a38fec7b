package debugger

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/source"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// Variable is a variable in scope with its value.
type Variable struct {
	Name  string
	Value Value
}

// Locals lists the variables of the call in which the selected lane is, parameters included, and the globals behind
// them. Globals of files that are skipped are left out.
func (s *Session) Locals() []Variable { return localsOf(s, false) }

// AllLocals is Locals with the globals of files that are skipped.
func AllLocals(s *Session) []Variable { return localsOf(s, true) }

func localsOf(s *Session, all bool) []Variable {
	var list, globals []Variable
	for _, v := range s.scope().visible() {
		words := s.group().Register(v.Reg, v.Variable.Type.Components(), s.lane)
		x := Variable{v.Variable.Name, Value{v.Variable.InText(), words}}
		switch {
		case v.Variable.Kind != tree.VarGlobal:
			list = append(list, x)
		case all || !s.skip(v.Variable.Pos.File):
			globals = append(globals, x)
		}
	}
	return append(list, globals...)
}

// Frame is an open call.
type Frame struct {
	Func string
	Pos  source.Pos // where it stands
}

// Stack lists the open calls, innermost first.
func (s *Session) Stack() []Frame {
	g := s.group()
	if g == nil {
		return nil
	}
	pos := s.code().Site(g.PC()).Pos
	var list []Frame
	for _, c := range s.code().Stack(g.PC()) {
		list = append(list, Frame{c.Func, pos})
		pos = c.Pos
	}
	return append(list, Frame{"main", pos})
}

// Active lists which lanes of the selected workgroup take part in the next instruction.
func (s *Session) Active() []bool {
	list := make([]bool, s.code().Lanes())
	for i := range list {
		list[i] = s.group() != nil && s.group().Active(i)
	}
	return list
}

// Set gives the variable, member or element that target names the value of an expression. What came
// after this time is forgotten: it begins another future. Earlier times keep the values that they had, and a run that comes
// here again applies the change again.
func (s *Session) Set(target, value string) error {
	x, err := s.scope().parse(target)
	if err != nil {
		return err
	}
	p, err := s.scope().locate(x)
	if err != nil {
		return err
	}
	v, err := s.Eval(value)
	if err != nil {
		return err
	}
	if !v.Type.Equal(p.t) {
		return unsupported(fmt.Sprintf("cannot set %s, of type %v, to a value of type %v", target, p.t, v.Type), fmt.Sprintf("convert it, such as %v(%s)", p.t, value))
	}
	if ref, ok := tree.Root(x).(*tree.VarRef); ok && (ref.Var.Kind == tree.VarInput || ref.Var.Const) {
		return unsupported(ref.Var.Name+" cannot be changed", "set another variable")
	}
	for i, w := range s.scope().changed(p, v) {
		s.m.set(s.groupAt, poke{s.lane, p.space, p.words()[i], []uint32{w}})
	}
	return nil
}

// changed is what the words of a place become when a value is put there.
func (s scope) changed(p spot, v Value) []uint32 {
	if p.dense || !p.t.HasNarrow() {
		return v.Words
	}
	var list []uint32
	words, after := p.words(), map[int]uint32{}
	p.eachNarrow(func(offset int, k tree.Kind) {
		for range k.Words() {
			at := words[len(list)]
			if _, known := after[at]; !known {
				after[at] = s.word(p.space, at)
			}
			bits, mask := fold.Stored(k, offset, v.Words[len(list)])
			after[at] = after[at]&^mask | bits
			list = append(list, after[at])
		}
	})
	return list
}

// pageElements is how many elements of an array are shown.
const pageElements = 16

// String renders the value as a constructor of the kernel language would, long arrays cut.
func (v Value) String() string { return render(v.Type, v.Words) }

func render(t *tree.Type, words []uint32) string {
	var parts []string
	switch t.Class {
	case tree.ClassScalar:
		return scalar(t.Kind, words)
	case tree.ClassVector:
		for part := range slices.Chunk(words, t.Kind.Words()) {
			parts = append(parts, scalar(t.Kind, part))
		}
		return t.String() + "(" + strings.Join(parts, ", ") + ")"
	case tree.ClassStruct:
		for _, m := range t.Struct.Members {
			n := m.Type.Components()
			parts = append(parts, m.Name+"="+render(m.Type, words[:n]))
			words = words[n:]
		}
		return t.Struct.Name + "{" + strings.Join(parts, ", ") + "}"
	case tree.ClassArray:
		n := t.Elem.Components()
		for i := range min(t.Len, pageElements) {
			parts = append(parts, render(t.Elem, words[i*n:][:n]))
		}
		if t.Len > pageElements {
			parts = append(parts, fmt.Sprintf("... %d more", t.Len-pageElements))
		}
		if t.Matrix {
			return t.String() + "(" + strings.Join(parts, ", ") + ")"
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return ""
}

func scalar(k tree.Kind, words []uint32) string {
	w := words[0]
	switch k {
	case tree.KindDouble:
		return strconv.FormatFloat(math.Float64frombits(tree.Join(words)), 'g', -1, 64)
	case tree.KindInt64:
		return strconv.FormatInt(int64(tree.Join(words)), 10)
	case tree.KindUint64:
		return strconv.FormatUint(tree.Join(words), 10)
	case tree.KindBool:
		return strconv.FormatBool(w != 0)
	case tree.KindInt, tree.KindInt8, tree.KindInt16:
		return strconv.Itoa(int(int32(w)))
	case tree.KindFloat, tree.KindFloat16:
		return strconv.FormatFloat(float64(math.Float32frombits(w)), 'g', -1, 32)
	}
	return strconv.FormatUint(uint64(w), 10)
}

// groupState says in a word what a workgroup that has begun is doing.
var groupState = map[vm.State]string{vm.Running: "running", vm.Ended: "ended", vm.Failed: "failed", vm.Waiting: "waiting at a grid barrier"}

// Groups describes the workgroups under way, by number.
func (s *Session) Groups() []string {
	var list []string
	for _, n := range slices.Sorted(slices.Values(s.run().order(0))) {
		g := s.m.groups[n]
		list = append(list, fmt.Sprintf("%d %s at %v", n, groupState[g.State()], s.code().Site(g.PC()).Pos))
	}
	return list
}
