package vm

var moveOps = []row{
	{OpMove, Info{Name: "move", Kinds: lane1, run: runMove}},
	{OpSplat, Info{Name: "splat", Kinds: [4]Kind{KindDst, KindSrc1}, run: runSplat}},
}

func runMove(g *Group, s *step) {
	if g.full {
		copy(g.regs[s.d:][:s.span], g.regs[s.a:][:s.span])
		return
	}
	lanes := g.lanesOn()
	for at := 0; at < s.span; at += g.lanes {
		dst, src := g.reg(s.d+at), g.reg(s.a+at)
		for _, i := range lanes {
			dst[i] = src[i]
		}
	}
}

func runSplat(g *Group, s *step) {
	src := g.reg(s.a)
	for at := 0; at < s.span; at += g.lanes {
		dst := g.reg(s.d + at)
		for _, i := range g.lanesOn() {
			dst[i] = src[i]
		}
	}
}
