package vm

// Subgroups are as many neighboring lanes as the last operand says, which is the same in all lanes.
var subgroupOps = []row{
	{OpBallot, Info{Name: "ballot", Kinds: [4]Kind{KindDst, KindSrc1, KindSrc1}, run: runBallot}},
	{OpShuffle, Info{Name: "shuffle", Kinds: [4]Kind{KindDst, KindSrc, KindSrc1, KindSrc1}, run: runShuffle}},
}

// MaxSubgroup is the largest number of lanes in a subgroup: a ballot has four words.
const MaxSubgroup = 128

// runBallot gives each active lane the active lanes of its subgroup for which A is 1, a bit each, in the N words of D.
func runBallot(g *Group, s *step) {
	lanes := g.lanesOn()
	for from := 0; from < len(lanes); {
		width := g.regs[s.b+int(lanes[from])]
		group := uint32(lanes[from]) / width
		var words [MaxSubgroup / 32]uint32
		to := from
		for ; to < len(lanes) && uint32(lanes[to])/width == group; to++ {
			at := uint32(lanes[to]) % width
			words[at/32] |= (g.regs[s.a+int(lanes[to])] & 1) << (at % 32)
		}
		for ; from < to; from++ {
			for k := range s.n {
				g.regs[s.d+k*g.lanes+int(lanes[from])] = words[k]
			}
		}
	}
}

// runShuffle gives each active lane the A of the lane that B names in its subgroup, and 0 where that is not active or not there.
// D is not among the operands.
func runShuffle(g *Group, s *step) {
	active := g.active()
	for _, i := range g.lanesOn() {
		width, id := g.regs[s.c+int(i)], g.regs[s.b+int(i)]
		from := uint32(i)/width*width + id
		known := id < width && from < uint32(g.lanes) && active[from>>6]>>(from&63)&1 != 0
		for at := 0; at < s.span; at += g.lanes {
			v := uint32(0)
			if known {
				v = g.regs[s.a+at+int(from)]
			}
			g.regs[s.d+at+int(i)] = v
		}
	}
}
