package vm

// Components of 64 bits lie in two registers, the less significant word in the first one.
var (
	wide1 = [4]Kind{KindDst64, KindSrc64}
	wide2 = [4]Kind{KindDst64, KindSrc64, KindSrc64}
	wide3 = [4]Kind{KindDst64, KindSrc64, KindSrc64, KindSrc64}

	wideFrom32  = [4]Kind{KindDst64, KindSrc}
	wideTo32    = [4]Kind{KindDst, KindSrc64}
	wideCompare = [4]Kind{KindDst, KindSrc64, KindSrc64}
	wideBy32    = [4]Kind{KindDst64, KindSrc64, KindSrc}
)

// wideAt reads the component of 64 bits whose first word is at word offset at.
func wideAt(g *Group, at int) uint64 {
	return uint64(g.regs[at]) | uint64(g.regs[at+g.lanes])<<32
}

func setWide(g *Group, at int, v uint64) {
	g.regs[at], g.regs[at+g.lanes] = uint32(v), uint32(v>>32)
}

// eachWide calls visit for every component of every active lane, with its places in operands of 32 and of 64 bits.
func eachWide(g *Group, s *step, visit func(narrow, wide int)) {
	for at := 0; at < s.span; at += g.lanes {
		for _, i := range g.lanesOn() {
			visit(at+int(i), 2*at+int(i))
		}
	}
}

func wideUnaryRow(op Op, name string, f func(a uint64) uint64) row {
	return row{op, Info{Name: name, Kinds: wide1, run: func(g *Group, s *step) {
		eachWide(g, s, func(_, at int) { setWide(g, s.d+at, f(wideAt(g, s.a+at))) })
	}}}
}

func wideBinaryRow(op Op, name string, f func(a, b uint64) uint64) row {
	return row{op, Info{Name: name, Kinds: wide2, run: func(g *Group, s *step) {
		eachWide(g, s, func(_, at int) { setWide(g, s.d+at, f(wideAt(g, s.a+at), wideAt(g, s.b+at))) })
	}}}
}

func wideTernaryRow(op Op, name string, f func(a, b, c uint64) uint64) row {
	return row{op, Info{Name: name, Kinds: wide3, run: func(g *Group, s *step) {
		eachWide(g, s, func(_, at int) { setWide(g, s.d+at, f(wideAt(g, s.a+at), wideAt(g, s.b+at), wideAt(g, s.c+at))) })
	}}}
}

// wideningRow makes components of 64 bits of those of 32 bits.
func wideningRow(op Op, name string, f func(a uint32) uint64) row {
	return row{op, Info{Name: name, Kinds: wideFrom32, run: func(g *Group, s *step) {
		eachWide(g, s, func(narrow, wide int) { setWide(g, s.d+wide, f(g.regs[s.a+narrow])) })
	}}}
}

func narrowingRow(op Op, name string, f func(a uint64) uint32) row {
	return row{op, Info{Name: name, Kinds: wideTo32, run: func(g *Group, s *step) {
		eachWide(g, s, func(narrow, wide int) { g.regs[s.d+narrow] = f(wideAt(g, s.a+wide)) })
	}}}
}

func wideCompareRow(op Op, name string, f func(a, b uint64) bool) row {
	return row{op, Info{Name: name, Kinds: wideCompare, run: func(g *Group, s *step) {
		eachWide(g, s, func(narrow, wide int) { g.regs[s.d+narrow] = truth(f(wideAt(g, s.a+wide), wideAt(g, s.b+wide))) })
	}}}
}

// wideBy32Row makes an operation whose second operand has 32 bits: the amount of a shift, or the exponent of ldexp.
func wideBy32Row(op Op, name string, f func(a uint64, b uint32) uint64) row {
	return row{op, Info{Name: name, Kinds: wideBy32, run: func(g *Group, s *step) {
		eachWide(g, s, func(narrow, wide int) { setWide(g, s.d+wide, f(wideAt(g, s.a+wide), g.regs[s.b+narrow])) })
	}}}
}

// wideDivisionRow makes an operation of f, which is not called with b = 0: that gives 0 and is reported.
func wideDivisionRow(op Op, name string, f func(a, b uint64) uint64) row {
	run := func(g *Group, s *step) {
		for at := 0; at < s.span; at += g.lanes {
			for _, i := range g.lanesOn() {
				place := 2*at + int(i)
				a, b := wideAt(g, s.a+place), wideAt(g, s.b+place)
				if b == 0 {
					g.event(DivisionByZero, s.pc, int(i))
					setWide(g, s.d+place, 0)
					continue
				}
				setWide(g, s.d+place, f(a, b))
			}
		}
	}
	return row{op, Info{Name: name, Kinds: wide2, run: run}}
}
