package lower

import (
	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// place is where an l-value or an access chain leads: base in a space, and perhaps an index known
// only at run time.
type place struct {
	t      *tree.Type
	space  int32
	base   int32
	end    int32   // end of the object in the space; unused when runtime
	dense  bool    // no std430 padding
	lanes  []uint8 // components of the vector at base, nil for the whole
	step   int32   // words between the components of a column of a matrix that lies row by row; else 0
	index  int32   // register, or None
	stride int32   // of the index
	length int32   // elements the index may name
	origin int32   // where the runtime array starts

	runtime bool // the index selects from a runtime array
	summed  bool // the index is an offset that an offset instruction made
}

// locate finds the place of an access chain. With stable set, later changes of variables do not
// move it.
func (l *lowerer) locate(e tree.Expr, stable bool) place {
	switch x := e.(type) {
	case *tree.VarRef:
		return l.locateVar(x.Var)
	case *tree.BufferRef:
		return l.locateMember(x)
	case *tree.Field:
		return l.field(l.locate(x.X, stable), x)
	case *tree.Swizzle:
		return l.swizzle(l.locate(x.X, stable), x)
	case *tree.Index:
		return l.element(l.locate(x.X, stable || changes(x.I)), x, stable)
	default:
		reg := l.eval(e, vm.None)
		n := int32(e.Type().Components())
		return place{t: e.Type(), space: vm.SpaceRegs, base: reg, end: reg + n, dense: true, index: vm.None}
	}
}

func (l *lowerer) locateVar(v *tree.Variable) place {
	p := place{t: v.Type, space: vm.SpaceRegs, dense: true, index: vm.None}
	switch {
	case v.Kind == tree.VarShared:
		p.space, p.base = l.sharedSpace(), l.sharedAt[v]
	case v.Value != nil:
		p.base = l.constants(v.Value.Bits...)
	default:
		p.base = l.variable(v)
	}
	p.end = p.base + int32(v.Type.Components())
	return p
}

func (l *lowerer) locateMember(x *tree.BufferRef) place {
	m := &x.Buffer.Block.Members[x.Member]
	return place{
		t: m.Type, space: int32(x.Buffer.ID), base: int32(m.Offset / 4),
		end: int32(l.code.Spaces[x.Buffer.ID].Words), index: vm.None,
	}
}

func (l *lowerer) field(p place, x *tree.Field) place {
	p.t = x.T
	p.base += p.memberOffset(x.X.Type().Struct, x.Member)
	return p
}

func (p place) memberOffset(s *tree.Struct, member int) int32 {
	if !p.dense {
		return int32(s.Members[member].Offset / 4)
	}
	n := 0
	for i := range member {
		n += s.Members[i].Type.Components()
	}
	return int32(n)
}

func (p place) strideOf(t *tree.Type) int32 {
	switch {
	case p.step > 0 && t.IsVector():
		return p.step
	case !p.dense && t.Matrix:
		return int32(t.Column() / 4)
	}
	if p.dense {
		return int32(t.Element().Components())
	}
	return int32(t.Stride() / 4)
}

func (l *lowerer) swizzle(p place, x *tree.Swizzle) place {
	lanes := x.Lanes
	if p.lanes != nil {
		lanes = make([]uint8, len(x.Lanes))
		for i, k := range x.Lanes {
			lanes[i] = p.lanes[k]
		}
	}
	p.t, p.lanes = x.T, lanes
	if ascending(lanes) && p.step == 0 {
		p.base += int32(lanes[0]) * int32(x.T.Kind.Words())
		p.lanes = nil
	}
	return p
}

// ascending reports whether lanes are consecutive components.
func ascending(lanes []uint8) bool {
	for i, k := range lanes {
		if int(k) != int(lanes[0])+i {
			return false
		}
	}
	return true
}

// element selects one element of an array or one component of a vector.
func (l *lowerer) element(p place, x *tree.Index, stable bool) place {
	container := x.X.Type()
	if p.lanes != nil {
		p = l.gathered(p)
	}
	stride := p.strideOf(container)
	p.step = p.stepIn(container)
	p.t = x.T
	if c, ok := x.I.(*tree.Const); ok && container.Class != tree.ClassRuntimeArray {
		p.base += int32(c.Bits[0]) * stride
		return p
	}
	index := l.eval(x.I, vm.None)
	if stable && !l.isConst(index) {
		index = l.copied(index, 1)
	}
	l.at(x.At)
	return l.indexed(p, index, stride, container)
}

// stepIn is the step of the columns of a matrix at a place.
func (p place) stepIn(t *tree.Type) int32 {
	if t.RowMajor && !p.dense {
		return int32(t.Row() / 4)
	}
	return 0
}

func (l *lowerer) isConst(reg int32) bool { return reg >= constMark }

// indexed adds an index to a place. The first one waits to become part of the access itself; with a
// second one both become an offset.
func (l *lowerer) indexed(p place, index, stride int32, container *tree.Type) place {
	length := int32(container.Len)
	if container.IsVector() {
		length = int32(container.Width)
	}
	if p.index == vm.None {
		p.index, p.stride, p.length = index, stride, max(length, 1)
		if container.Class == tree.ClassRuntimeArray {
			p.runtime, p.origin = true, p.base
		}
		return p
	}
	before := l.offset(p)
	step := l.access(vm.Access{Space: p.space, Stride: stride, Len: length})
	p.index, p.summed = l.temp(1), true
	l.emit(vm.OpOffset, 1, p.index, index, before, step)
	return p
}

// offset gives the register that holds the place's index as a number of words.
func (l *lowerer) offset(p place) int32 {
	if p.summed {
		return p.index
	}
	a := vm.Access{Space: p.space, Stride: p.stride, Len: p.length}
	if p.runtime {
		a.Runtime, a.Origin = true, p.origin
	}
	reg := l.temp(1)
	l.emit(vm.OpOffset, 1, reg, p.index, vm.None, l.access(a))
	return reg
}

// accessOf describes n words at a place.
func (l *lowerer) accessOf(p place, n int) int32 {
	a := vm.Access{Space: p.space, Base: p.base, Len: 1, N: int32(n)}
	switch {
	case p.index == vm.None:
	case p.summed && p.runtime:
		a.Runtime, a.Quiet, a.Stride, a.Origin = true, true, 1, p.base+int32(n)-1
	case p.summed:
		a.Quiet, a.Stride, a.Len = true, 1, p.end-p.base-int32(n)+1
	case p.runtime:
		a.Runtime, a.Stride, a.Origin = true, p.stride, p.origin
	default:
		a.Stride, a.Len = p.stride, p.length
	}
	return l.access(a)
}

// gathered copies a swizzled vector to registers of its own.
func (l *lowerer) gathered(p place) place {
	reg := l.load(p, vm.None)
	return place{t: p.t, space: vm.SpaceRegs, base: reg, end: reg + int32(p.t.Components()), dense: true, index: vm.None}
}
