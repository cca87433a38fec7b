package lower

import (
	"slices"

	"vyretop/engine/glsl/tree"
	"vyretop/engine/reference/vm"
)

// load reads the value at a place. A value that sits in registers already is not copied.
func (l *lowerer) load(p place, hint int32) int32 {
	n := p.t.Components()
	if p.space == vm.SpaceRegs && p.index == vm.None && p.lanes == nil {
		return p.base
	}
	if p.lanes != nil {
		return l.loadLanes(p)
	}
	dst := l.orTemp(hint, n)
	l.loadRuns(p, p.t, dst)
	return dst
}

// loadLanes reads the components of a swizzle one by one; the target of an assignment may be among
// them, so they go to registers of their own.
func (l *lowerer) loadLanes(p place) int32 {
	words := int32(p.t.Kind.Words())
	dst := l.temp(p.t.Components())
	vector := p.base
	for i, k := range p.lanes {
		p.base = vector + int32(k)*max(p.step, words)
		l.loadRuns(p, p.t.Element(), dst+int32(i)*words)
	}
	return dst
}

// loadRuns reads a value of type t into dst, one instruction for each run of adjacent words.
func (l *lowerer) loadRuns(p place, t *tree.Type, dst int32) {
	if l.isBuffer(p.space) && hasBool(t) {
		l.loadBools(p, t, dst)
		return
	}
	if p.isRun(t) {
		l.loadRun(p, dst, t.Components())
		return
	}
	p.eachPart(t, func(part place, offset int32) { l.loadRuns(part, part.t, dst+offset) })
}

func (l *lowerer) isBuffer(space int32) bool { return space >= 0 && int(space) < len(l.prog.Buffers) }

// loadBools reads a value with bools in it: a buffer may hold any word that is not 0 for true.
func (l *lowerer) loadBools(p place, t *tree.Type, dst int32) {
	if t.Kind == tree.KindBool {
		l.loadRun(p, dst, t.Width)
		l.emit(vm.OpToBool, t.Width, dst, dst, 0, 0)
		return
	}
	p.eachPart(t, func(part place, offset int32) { l.loadRuns(part, part.t, dst+offset) })
}

// hasBool reports whether a value of type t has a component that is a bool.
func hasBool(t *tree.Type) bool {
	switch t.Class {
	case tree.ClassStruct:
		return slices.ContainsFunc(t.Struct.Members, func(m tree.Member) bool { return hasBool(m.Type) })
	case tree.ClassArray:
		return hasBool(t.Elem)
	default:
		return t.Kind == tree.KindBool
	}
}

// isRun reports whether a value of type t has no padding inside at this place.
func (p place) isRun(t *tree.Type) bool {
	switch {
	case p.dense || t.IsScalar():
		return true
	case t.IsVector():
		return p.step == 0
	}
	return t.Size() == 4*t.Components() && !t.HasRows()
}

// eachPart visits the members or elements of an aggregate with the offset of their components.
func (p place) eachPart(t *tree.Type, visit func(part place, offset int32)) {
	at := int32(0)
	step := func(sub *tree.Type, offset int32) {
		part := p
		part.t = sub
		part.base += offset
		visit(part, at)
		at += int32(sub.Components())
	}
	if t.Class == tree.ClassStruct {
		for i := range t.Struct.Members {
			step(t.Struct.Members[i].Type, p.memberOffset(t.Struct, i))
		}
		return
	}
	stride, n := p.strideOf(t), t.Len
	if t.IsVector() {
		n = t.Width
	}
	p.step = p.stepIn(t)
	for i := range n {
		step(t.Element(), int32(i)*stride)
	}
}

func (l *lowerer) loadRun(p place, dst int32, n int) {
	switch {
	case p.space != vm.SpaceRegs:
		l.emit(vm.OpLoad, n, dst, p.index, vm.None, l.accessOf(p, n))
	case p.index != vm.None:
		l.emit(vm.OpLoadReg, n, dst, p.index, vm.None, l.accessOf(p, n))
	default:
		l.move(dst, p.base, n)
	}
}

// store writes the registers from src on to a place.
func (l *lowerer) store(p place, src int32) {
	if p.lanes == nil {
		l.storeRuns(p, p.t, src)
		return
	}
	vector, n, words := p.base, int32(p.t.Components()), int32(p.t.Kind.Words())
	if p.space == vm.SpaceRegs && src < p.end && vector < src+n {
		src = l.copied(src, int(n)) // the value is part of what is about to change
	}
	for i, k := range p.lanes {
		p.base = vector + int32(k)*max(p.step, words)
		l.storeRun(p, src+int32(i)*words, int(words))
	}
}

func (l *lowerer) storeRuns(p place, t *tree.Type, src int32) {
	if p.isRun(t) {
		l.storeRun(p, src, t.Components())
		return
	}
	p.eachPart(t, func(part place, offset int32) { l.storeRuns(part, part.t, src+offset) })
}

func (l *lowerer) storeRun(p place, src int32, n int) {
	switch {
	case p.space != vm.SpaceRegs:
		l.emit(vm.OpStore, n, 0, p.index, src, l.accessOf(p, n))
	case p.index != vm.None:
		l.emit(vm.OpStoreReg, n, 0, p.index, src, l.accessOf(p, n))
	default:
		l.move(p.base, src, n)
	}
}

// move copies n registers; onto themselves costs nothing. A move copies component by component, so
// ranges that overlap go through a copy.
func (l *lowerer) move(dst, src int32, n int) {
	if dst == src || l.err != nil {
		return
	}
	if overlaps(dst, src, n) {
		src = l.copied(src, n)
	}
	l.emit(vm.OpMove, n, dst, src, 0, 0)
}

// zero clears n registers.
func (l *lowerer) zero(dst int32, n int) {
	if n > 0 && l.err == nil {
		l.emit(vm.OpSplat, n, dst, l.constants(0), 0, 0)
	}
}

// copied puts n registers where no later change of a variable reaches them.
func (l *lowerer) copied(src int32, n int) int32 {
	dst := l.temp(n)
	l.move(dst, src, n)
	return dst
}

// overlaps reports whether two ranges of n registers share one without being the same.
func overlaps(a, b int32, n int) bool {
	return a != b && a < b+int32(n) && b < a+int32(n)
}
