package check

import (
	"fmt"
	"math"

	"vyretop/engine/reference/vm"
)

// indexes finds indexes that have wrapped around: it looks at the additions, subtractions, products and shifts to the left
// that come to an index by no other operation. What the calculation comes to without a limit is kept where it does not fit a
// word; an index that differs from it by 2^32 or more is not the one that was meant. One that has come back into range is.
type indexes struct {
	c     *checker
	p     *program
	makes []bool            // by instruction: it makes a part of an index
	vars  map[variable]bool // that parts are in
	of    map[int32][]int32 // variables by register, as indexes in low.Vars
}

// register is one lane of a register.
type register struct{ reg, lane int32 }

// exacts are results that did not fit. An entry is of a register only as long as that has the entry's low word.
type exacts map[register]int64

func newIndexes(c *checker, p *program) *indexes {
	x := &indexes{c: c, p: p, makes: make([]bool, len(p.code.Instrs)), vars: map[variable]bool{}, of: map[int32][]int32{}}
	for i, v := range p.low.Vars {
		for k := range v.Variable.Type.Components() {
			reg := int32(v.Reg + k)
			x.of[reg] = append(x.of[reg], int32(i))
		}
	}
	for known := -1; known < len(x.vars); {
		known = len(x.vars)
		x.scan()
	}
	return x
}

// scan goes back through the code, from the uses of indexes to what they are made of. Which variables are part of that holds
// for all of their instructions, so that branches and loops need no care; other registers are temporary.
func (x *indexes) scan() {
	temporary := map[int32]bool{}
	for pc := len(x.p.code.Instrs) - 1; pc >= 0; pc-- {
		in := &x.p.code.Instrs[pc]
		var from []int32
		if calculates(in.Op) {
			for k := range int32(in.N) {
				if x.has(pc, in.D+k, temporary) {
					x.makes[pc] = true
					if from = append(from, in.A+k); in.Op != vm.OpMove {
						from = append(from, in.B+k)
					}
				}
			}
		}
		if n := written(in); n > 0 {
			for k := range n {
				delete(temporary, in.D+k)
			}
		}
		if takesIndex(in) && in.A >= 0 && x.p.handles(pc) {
			from = append(from, in.A)
		}
		for _, reg := range from {
			if v := x.variable(pc, reg); v.index >= 0 {
				x.vars[v] = true
			} else {
				temporary[reg] = true
			}
		}
	}
}

// variable is a component of one of the variables of a program; index -1: none.
type variable struct{ index, reg int32 }

// variable is what is in a register at an instruction.
func (x *indexes) variable(pc int, reg int32) variable {
	for _, i := range x.of[reg] {
		if v := &x.p.low.Vars[i]; pc >= v.From-1 && pc <= v.To {
			return variable{i, reg}
		}
	}
	return variable{-1, 0}
}

func (x *indexes) has(pc int, reg int32, temporary map[int32]bool) bool {
	if v := x.variable(pc, reg); v.index >= 0 {
		return x.vars[v]
	}
	return temporary[reg]
}

// takesIndex reports whether operand A of an instruction is an index.
func takesIndex(in *vm.Instr) bool {
	return vm.Ops[in.Op].Kinds[3] == vm.KindAccess && in.Op != vm.OpLength
}

// calculates reports whether indexes are made with an operation.
func calculates(op vm.Op) bool {
	switch op {
	case vm.OpAdd, vm.OpSub, vm.OpMul, vm.OpShl, vm.OpMove:
		return true
	}
	return false
}

// before looks at an instruction that makes an index or uses one.
func (x *indexes) before(pc int) vm.Hook {
	in := &x.p.code.Instrs[pc]
	switch {
	case takesIndex(in) && in.A >= 0:
		return x.use(pc, in)
	case x.makes[pc]:
		return x.make(in)
	}
	return nil
}

// use reports an index that is not what was calculated.
func (x *indexes) use(pc int, in *vm.Instr) vm.Hook {
	return func(*vm.Group) {
		g := x.c.now
		if len(g.exact) == 0 {
			return
		}
		for _, lane := range g.LanesOn() {
			if value := g.exactly(in.A, lane); value > math.MaxUint32 || value < math.MinInt32 {
				word := g.Word(in.A, lane)
				x.c.findWith(Overflow, pc, lane, "index", func() string {
					return fmt.Sprintf("the index is %d and wraps around to %d", value, word)
				})
			}
		}
	}
}

// make notes results that do not fit.
func (x *indexes) make(in *vm.Instr) vm.Hook {
	if in.Op == vm.OpMove {
		return func(*vm.Group) {
			if len(x.c.now.exact) > 0 {
				x.note(in)
			}
		}
	}
	far := farOf(in.Op)
	return func(*vm.Group) {
		g := x.c.now
		if len(g.exact) > 0 {
			x.note(in)
			return
		}
		for k := range int32(in.N) {
			if far(vm.Words(g.Group, in.A+k), vm.Words(g.Group, in.B+k), g.LanesOn()) {
				x.note(in)
				return
			}
		}
	}
}

// farOf gives what looks whether a result of an operation does not fit, for any of some lanes.
func farOf(op vm.Op) func(a, b []uint32, lanes []int32) bool {
	switch op {
	case vm.OpAdd:
		return func(a, b []uint32, lanes []int32) bool {
			for _, i := range lanes {
				if sum := a[i] + b[i]; int32((a[i]^sum)&(b[i]^sum)) < 0 {
					return true
				}
			}
			return false
		}
	case vm.OpMul:
		return func(a, b []uint32, lanes []int32) bool {
			for _, i := range lanes {
				if value := int64(int32(a[i])) * int64(int32(b[i])); value != int64(int32(value)) {
					return true
				}
			}
			return false
		}
	}
	return func(a, b []uint32, lanes []int32) bool {
		for _, i := range lanes {
			if _, keep := calculate(op, int64(int32(a[i])), int64(int32(b[i]))); keep {
				return true
			}
		}
		return false
	}
}

func (x *indexes) note(in *vm.Instr) {
	g := x.c.now
	if g.exact == nil || len(g.exact) > maxExacts {
		g.exact = exacts{}
	}
	for _, lane := range g.LanesOn() {
		for k := range int32(in.N) {
			b := int64(0)
			if in.Op != vm.OpMove {
				b = g.exactly(in.B+k, lane)
			}
			value, keep := calculate(in.Op, g.exactly(in.A+k, lane), b)
			if to := (register{in.D + k, lane}); keep {
				g.exact[to] = value
			} else {
				delete(g.exact, to)
			}
		}
	}
}

// maxExacts bounds what is kept for a workgroup.
const maxExacts = 1 << 16

// exactly is what a register would have without a limit. A word with the highest bit set is of a negative number, unless it
// is known better.
func (g *group) exactly(reg, lane int32) int64 {
	word := g.Word(reg, lane)
	if value, ok := g.exact[register{reg, lane}]; ok && uint32(value) == word {
		return value
	}
	return int64(int32(word))
}

// farthest bounds what is kept, so that it fits 64 bits; what is farther is treated as unknown.
const farthest = 1 << 62

// calculate gives a result without a limit, and whether it has to be kept because the word alone says something else.
func calculate(op vm.Op, a, b int64) (value int64, keep bool) {
	switch op {
	case vm.OpMove:
		value = a
	case vm.OpAdd:
		value = a + b
	case vm.OpSub:
		value = a - b
	case vm.OpMul, vm.OpShl:
		if op == vm.OpShl {
			b = 1 << (b & (wordBits - 1))
		}
		if math.Abs(float64(a)*float64(b)) >= farthest {
			return 0, false
		}
		value = a * b
	}
	return value, value != int64(int32(value)) && value < farthest && value > -farthest
}
