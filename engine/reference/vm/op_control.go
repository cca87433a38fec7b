package vm

var controlOps = []row{
	{OpEnd, Info{Name: "end", jump: jumpEnd}},
	{OpEnter, Info{Name: "enter", Kinds: [4]Kind{KindMask, KindMaskOpt, KindMaskOpt}, run: runEnter}},
	{OpMark, Info{Name: "mark", run: func(*Group, *step) {}}},
	{OpIf, Info{Name: "if", Kinds: [4]Kind{KindMask, KindSrc1, KindMask, KindForward}, jump: jumpIf}},
	{OpElse, Info{Name: "else", Kinds: [4]Kind{KindMask, KindNone, KindNone, KindForward}, jump: jumpElse}},
	{OpTest, Info{Name: "test", Kinds: [4]Kind{KindNone, KindSrc1, KindNone, KindForward}, jump: jumpTest}},
	{OpJoin, Info{Name: "join", Kinds: [4]Kind{KindMask, KindSrc1, KindNone, KindForward}, jump: jumpJoin}},
	{OpLeave, Info{Name: "leave", Kinds: [4]Kind{KindMask, KindNone, KindNone, KindForward}, jump: jumpLeave}},
	{OpRejoin, Info{Name: "rejoin", Kinds: [4]Kind{KindMask, KindNone, KindNone, KindForward}, jump: jumpRejoin}},
	{OpRepeat, Info{Name: "repeat", Kinds: [4]Kind{KindNone, KindNone, KindNone, KindBackward}, jump: jumpRepeat}},
	{OpMerge, Info{Name: "merge", Kinds: [4]Kind{KindMask, KindMaskOpt, KindNone, KindForward}, jump: jumpMerge}},
	{OpBarrier, Info{Name: "barrier", Kinds: [4]Kind{KindMask}, jump: jumpBarrier}},
	{OpGridBarrier, Info{Name: "gridbarrier", Kinds: [4]Kind{KindMask}, jump: jumpGridBarrier}},
}

func jumpEnd(g *Group, s *step) int {
	g.state = Ended
	return s.pc
}

func runEnter(g *Group, s *step) {
	copy(g.mask(s.d), g.active())
	if s.a >= 0 {
		clear(g.mask(s.a))
	}
	if s.b >= 0 {
		clear(g.mask(s.b))
	}
}

func jumpIf(g *Group, s *step) int {
	active := g.active()
	copy(g.mask(s.d), active)
	otherwise, then := g.mask(s.b), g.scratch
	g.whereActive(then, g.reg(s.a))
	for i, w := range then {
		otherwise[i] = active[i] &^ w
	}
	if isEmpty(then) {
		return s.c
	}
	g.activate(then)
	return s.pc + 1
}

func jumpElse(g *Group, s *step) int { return g.next(s, g.activate(g.mask(s.d))) }

func jumpTest(g *Group, s *step) int {
	g.whereActive(g.scratch, g.reg(s.a))
	return g.next(s, g.activate(g.scratch))
}

func jumpJoin(g *Group, s *step) int {
	g.where(g.scratch, g.mask(s.d), g.reg(s.a))
	for i, w := range g.active() {
		g.scratch[i] |= w
	}
	return g.next(s, g.activate(g.scratch))
}

func jumpLeave(g *Group, s *step) int {
	set, left := g.mask(s.d), g.left()
	for i, w := range g.active() {
		set[i] |= w
		left[i] |= w
		g.scratch[i] = 0
	}
	g.activate(g.scratch)
	return s.c
}

func jumpRejoin(g *Group, s *step) int {
	set, left, active := g.mask(s.d), g.left(), g.active()
	for i, w := range set {
		left[i] &^= w
		g.scratch[i] = active[i] | w
		set[i] = 0
	}
	return g.next(s, g.activate(g.scratch))
}

func jumpMerge(g *Group, s *step) int {
	saved, left := g.mask(s.d), g.left()
	if s.a >= 0 {
		for i, w := range g.mask(s.a) {
			left[i] &^= w
		}
	}
	for i, w := range saved {
		g.scratch[i] = w &^ left[i]
	}
	return g.next(s, g.activate(g.scratch))
}

// next continues with the following instruction, or at the target when no lane is active.
func (g *Group) next(s *step, any bool) int {
	if any {
		return s.pc + 1
	}
	return s.c
}

// jumpRepeat counts a round for each active lane. Rounds taken by all lanes together are counted
// once, so the usual uniform loop costs one addition. Without active lanes there is no next round.
func jumpRepeat(g *Group, s *step) int {
	if g.full {
		g.rounds++
	} else {
		lanes := g.lanesOn()
		if len(lanes) == 0 {
			return s.pc + 1
		}
		for _, l := range lanes {
			g.ownRounds[l]++
			g.mostRounds = max(g.mostRounds, g.ownRounds[l])
		}
	}
	if g.rounds+g.mostRounds > g.budget {
		g.fail(FaultBudget, s.pc)
	}
	return s.c
}

// jumpBarrier checks that every lane that has not returned from main is here; lanes run in
// lockstep, so there is nothing to wait for.
func jumpBarrier(g *Group, s *step) int {
	returned := g.mask(s.d)
	for i, w := range g.active() {
		if w != g.prog.all[i]&^returned[i] {
			g.fail(FaultBarrier, s.pc)
		}
	}
	return s.pc + 1
}

// jumpGridBarrier makes the group wait until Release. A group of which every lane has returned has
// no lane to wait.
func jumpGridBarrier(g *Group, s *step) int {
	next := jumpBarrier(g, s)
	if g.state == Running && !isEmpty(g.active()) {
		g.state = Waiting
	}
	return next
}
