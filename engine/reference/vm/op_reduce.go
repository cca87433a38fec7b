package vm

var reduceOps = []row{
	{OpAny, Info{Name: "any", Kinds: packKinds, run: fold(0, func(sum, a uint32) uint32 { return sum | truth(a != 0) })}},
	{OpAll, Info{Name: "all", Kinds: packKinds, run: fold(1, func(sum, a uint32) uint32 { return sum & truth(a != 0) })}},
	{OpDot, Info{Name: "dot", Kinds: [4]Kind{KindDst1, KindSrc, KindSrc}, run: runDot}},
}

// fold makes an operation that combines the components of a vector, first to last.
func fold(start uint32, f func(sum, a uint32) uint32) func(*Group, *step) {
	return func(g *Group, s *step) {
		for _, i := range g.lanesOn() {
			sum := start
			for k := range s.n {
				sum = f(sum, g.regs[s.a+k*g.lanes+int(i)])
			}
			g.regs[s.d+int(i)] = sum
		}
	}
}

// runDot adds the products first to last and rounds after each step.
func runDot(g *Group, s *step) {
	for _, i := range g.lanesOn() {
		a, b := g.regs[s.a+int(i):], g.regs[s.b+int(i):]
		sum := float32(float(a[0]) * float(b[0]))
		for k := 1; k < s.n; k++ {
			sum += float32(float(a[k*g.lanes]) * float(b[k*g.lanes]))
		}
		g.regs[s.d+int(i)] = bitsOf(sum)
	}
}
