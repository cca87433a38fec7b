package debugger

import (
	"fmt"

	"vyretop/engine/glsl/fold"
	"vyretop/engine/glsl/narrow"
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

// spot is where a value lies: registers of the selected lane, or words of a memory.
type spot struct {
	t     *tree.Type
	space int32
	at    int
	dense bool    // without the padding of std430
	lanes []uint8 // of a swizzle
	step  int     // words between the components of a column of a matrix that lies row by row; else 0
	bytes int     // from the start of a buffer, also of a value that does not begin with a word
}

// visible lists where the variables in scope of the selected lane are.
func (s scope) visible() []lower.Var {
	g := s.group()
	if g == nil {
		return nil
	}
	pc := s.scopePC(g)
	var list []lower.Var
	call := s.scope().call(pc)
	for _, v := range s.m.lowered.Vars {
		if v.Variable.Pos.File != narrow.File && pc >= v.From && pc < v.To && (v.Call == call || v.Variable.Kind == tree.VarGlobal) {
			list = append(list, v)
		}
	}
	return list
}

// scopePC is the instruction whose scope a workgroup is in: where it stands, and at its end the last one before the end of main, whose
// variables keep their values.
func (s scope) scopePC(g *vm.Group) int {
	pc := g.PC()
	if g.State() != vm.Ended {
		return pc
	}
	for end := s.code().Site(pc).Pos; pc > 0 && s.code().Site(pc).Pos == end; {
		pc--
	}
	return pc
}

// call is the open call whose names are in scope at an instruction.
func (s scope) call(pc int) int32 {
	c := s.code().Site(pc).Call
	for range s.frame {
		if c < 0 {
			break
		}
		c = s.code().Calls[c].Parent
	}
	return c
}

// locate finds the place of an access chain.
func (s scope) locate(x tree.Expr) (spot, error) {
	switch x := x.(type) {
	case *tree.VarRef:
		return s.locateVar(x.Var)
	case *tree.BufferRef:
		m := &x.Buffer.Block.Members[x.Member]
		return spot{t: m.Type, space: int32(x.Buffer.ID), at: m.Offset / 4, bytes: m.Offset}, nil
	case *tree.Field:
		p, err := s.locate(x.X)
		st := x.X.Type().Struct
		if !p.dense {
			p.bytes += st.Members[x.Member].Offset
			p.at = p.bytes / 4
		} else {
			for i := range x.Member {
				p.at += st.Members[i].Type.Components()
			}
		}
		p.t = x.T
		return p, err
	case *tree.Swizzle:
		p, err := s.locate(x.X)
		lanes := x.Lanes
		if p.lanes != nil {
			lanes = nil
			for _, k := range x.Lanes {
				lanes = append(lanes, p.lanes[k])
			}
		}
		p.t, p.lanes = x.T, lanes
		return p, err
	case *tree.Index:
		return s.locateIndex(x)
	}
	return spot{}, unsupported("the expression names no variable", "name a variable, a member or an element")
}

func (s scope) locateVar(v *tree.Variable) (spot, error) {
	if s.group() == nil {
		return spot{}, unsupported(fmt.Sprintf("%q has no value: workgroup %d is not under way", v.Name, s.groupAt), "select a workgroup that is, or go to another time")
	}
	if v.Kind == tree.VarInput {
		return spot{t: v.Type, space: vm.SpaceRegs, at: inputs[v.Input], dense: true}, nil
	}
	if v.Kind == tree.VarShared {
		for _, sh := range s.m.lowered.Shared {
			if sh.Variable == v {
				return spot{t: v.Type, space: int32(s.m.lowered.SharedSpace), at: sh.Word, dense: true}, nil
			}
		}
	}
	for _, at := range s.visible() {
		if at.Variable == v {
			return spot{t: v.Type, space: vm.SpaceRegs, at: at.Reg, dense: true}, nil
		}
	}
	return spot{}, unsupported(fmt.Sprintf("%q has no value here", v.Name), "go to a line after its declaration")
}

var inputs = [...]int{
	tree.InputNumWorkGroups: vm.RegNumWorkGroups, tree.InputWorkGroupID: vm.RegWorkGroupID,
	tree.InputLocalInvocationID: vm.RegLocalInvocationID, tree.InputGlobalInvocationID: vm.RegGlobalInvocationID,
	tree.InputLocalInvocationIndex: vm.RegLocalInvocationIndex,
}

func (s scope) locateIndex(x *tree.Index) (spot, error) {
	p, err := s.locate(x.X)
	if err != nil {
		return p, err
	}
	i, err := s.eval(x.I)
	if err != nil {
		return p, err
	}
	n, stride, bytes := s.elements(p), p.t.Kind.Words(), p.t.Kind.Bytes()
	if p.t.IsArray() {
		bytes = p.t.Column()
		if stride = bytes / 4; p.dense {
			stride = p.t.Elem.Components()
		}
	}
	if p.step > 0 {
		stride, bytes = p.step, 4*p.step
	}
	index := int(i.Words[0])
	if index >= n {
		return p, unsupported(fmt.Sprintf("index %d is out of range: there are %d elements", int32(index), n), "use an index below the length")
	}
	if p.lanes != nil {
		p.t, p.lanes = x.T, p.lanes[index:index+1]
		return p, nil
	}
	p.step = 0
	if p.t.RowMajor && !p.dense {
		p.step = p.t.Row() / 4
	}
	p.t = x.T
	if p.bytes += index * bytes; p.dense {
		p.at += index * stride
	} else {
		p.at = p.bytes / 4
	}
	return p, nil
}

// elements is the length of an array or a vector.
func (s scope) elements(p spot) int {
	switch p.t.Class {
	case tree.ClassRuntimeArray:
		return max(0, 4*len(s.m.memory[p.space])-p.bytes) / p.t.Stride()
	case tree.ClassArray:
		return p.t.Len
	}
	return p.t.Width
}

func (s scope) length(x *tree.Length) (Value, error) {
	p, err := s.locate(x.X)
	if err != nil {
		return Value{}, err
	}
	return Value{tree.Int, []uint32{uint32(s.elements(p))}}, nil
}

// read gives the value at the place of an access chain.
func (s scope) read(x tree.Expr) (Value, error) {
	if ref, ok := tree.Root(x).(*tree.VarRef); ok && ref.Var.Value != nil {
		return s.readConstant(x, ref.Var.Value)
	}
	p, err := s.locate(x)
	if err == nil {
		err = p.fits()
	}
	if err != nil {
		return Value{}, err
	}
	return s.value(p), nil
}

// value reads what lies at a place.
func (s scope) value(p spot) Value {
	v := Value{Type: p.t}
	if !p.dense && p.t.HasNarrow() {
		p.eachNarrow(func(offset int, k tree.Kind) {
			for i := range k.Words() {
				v.Words = append(v.Words, fold.Loaded(k, offset, s.word(p.space, offset/4+i)))
			}
		})
		return v
	}
	for _, at := range p.words() {
		v.Words = append(v.Words, s.word(p.space, at))
	}
	return v
}

// eachNarrow visits the components of a value that lies in a buffer by their offsets in bytes.
func (p spot) eachNarrow(visit func(offset int, k tree.Kind)) {
	if p.lanes == nil && p.step == 0 {
		p.t.EachComponent(p.bytes, visit)
		return
	}
	lanes := p.lanes
	if lanes == nil {
		lanes = []uint8{0, 1, 2, 3}[:p.t.Width]
	}
	for _, k := range lanes {
		visit(p.bytes+int(k)*max(4*p.step, p.t.Kind.Bytes()), p.t.Kind)
	}
}

// readConstant reads from an array or a structure that is a constant.
func (s scope) readConstant(x tree.Expr, c *tree.Const) (Value, error) {
	ix, ok := x.(*tree.Index)
	if _, whole := x.(*tree.VarRef); whole {
		return Value{c.T, c.Bits}, nil
	}
	if !ok || ix.X.Type().Class != tree.ClassArray {
		return Value{}, unsupported("only elements of a constant array can be selected here", "print the whole constant")
	}
	i, err := s.eval(ix.I)
	if err != nil {
		return i, err
	}
	n := x.Type().Components()
	if at := int(i.Words[0]); at < ix.X.Type().Len && (at+1)*n <= len(c.Bits) {
		return Value{x.Type(), c.Bits[at*n:][:n]}, nil
	}
	return Value{}, unsupported("the index is out of range", "use an index below the length")
}

// word reads a word; one that does not exist is 0.
func (s scope) word(space int32, at int) uint32 {
	if space == vm.SpaceRegs {
		if w := s.group().Register(at, 1, s.lane); w != nil {
			return w[0]
		}
		return 0
	}
	memory := s.scope().memory(space)
	if at < len(memory) {
		return memory[at]
	}
	return 0
}

// maxComponents bounds a value that is read, watched or set as a whole.
const maxComponents = 1 << 16

// fits refuses a value that is too large to be handled as a whole.
func (p spot) fits() error {
	if n := p.t.Components(); n > maxComponents {
		return unsupported(fmt.Sprintf("the value has %d components; at most %d can be used at once", n, maxComponents), "name an element, or print a part: ARRAY[FROM:TO]")
	}
	return nil
}

// words lists the words of a value in the order of its components.
func (p spot) words() []int {
	if !p.dense && p.t.HasNarrow() {
		var list []int
		p.eachNarrow(func(offset int, k tree.Kind) {
			for i := range k.Words() {
				list = append(list, offset/4+i)
			}
		})
		return list
	}
	if p.lanes != nil {
		var list []int
		for _, k := range p.lanes {
			list = p.appendComponent(list, p.t, p.at, int(k))
		}
		return list
	}
	return p.appendWords(nil, p.t, p.at)
}

func (p spot) appendWords(list []int, t *tree.Type, at int) []int {
	switch t.Class {
	case tree.ClassStruct:
		if p.dense {
			for i := range t.Components() {
				list = append(list, at+i)
			}
			return list
		}
		for _, m := range t.Struct.Members {
			list = p.appendWords(list, m.Type, at+m.Offset/4)
		}
	case tree.ClassArray:
		for i := range t.Len {
			column := p
			stride := t.Column() / 4
			if p.dense {
				stride = t.Elem.Components()
			} else if t.RowMajor {
				column.step = t.Row() / 4
			}
			list = column.appendWords(list, t.Elem, at+i*stride)
		}
	default:
		for i := range t.Width {
			list = p.appendComponent(list, t, at, i)
		}
	}
	return list
}

// appendComponent adds the words of component i of a scalar or a vector at a place.
func (p spot) appendComponent(list []int, t *tree.Type, at, i int) []int {
	n := t.Kind.Words()
	at += i * max(p.step, n)
	for k := range n {
		list = append(list, at+k)
	}
	return list
}
