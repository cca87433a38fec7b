package vm

import "math"

var divisionOps = []row{
	{OpDivI, Info{Name: "div.i", Kinds: lane2, run: division(divideInt)}},
	{OpDivU, Info{Name: "div.u", Kinds: lane2, run: division(func(a, b uint32) uint32 { return a / b })}},
	{OpModI, Info{Name: "mod.i", Kinds: lane2, run: division(moduloInt)}},
	{OpModU, Info{Name: "mod.u", Kinds: lane2, run: division(func(a, b uint32) uint32 { return a % b })}},
}

// division makes an operation of f, which is not called with b = 0: that gives 0 and is reported.
func division(f func(a, b uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for at := 0; at < s.span; at += g.lanes {
			dst, a, b := g.reg(s.d+at), g.reg(s.a+at), g.reg(s.b+at)
			for _, i := range g.lanesOn() {
				if b[i] == 0 {
					dst[i] = 0
					g.event(DivisionByZero, s.pc, int(i))
					continue
				}
				dst[i] = f(a[i], b[i])
			}
		}
	}
}

// divideInt rounds toward zero; the one quotient that overflows wraps to math.MinInt32.
func divideInt(a, b uint32) uint32 {
	if int32(a) == math.MinInt32 && int32(b) == -1 {
		return a
	}
	return uint32(int32(a) / int32(b))
}

// moduloInt has the sign of a.
func moduloInt(a, b uint32) uint32 {
	if int32(b) == -1 {
		return 0
	}
	return uint32(int32(a) % int32(b))
}
