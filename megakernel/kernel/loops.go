package kernel

import "vyretop/engine/glsl/tree"

// LoopCosts says what the loops of an assembled kernel cost on a driver that counts loop iterations
// and ends all loops of an invocation after that many (llvmpipe does).
//
// Such a driver runs whole vectors and never jumps: code that no lane wants is run with all lanes
// masked. A loop there costs one iteration, also when it is not entered; and so do the loops inside
// it, and each switch, for which the driver makes a loop. So each look at the condition of a loop
// costs one, and one for every loop and switch in its body, however deep. That is an upper bound:
// what is entered pays for itself once more.
type LoopCosts struct {
	Pass     uint32 // of one pass of the resident loop
	Plan     uint32 // of one plan in it
	Wait     uint32 // of one wait in that
	Schedule uint32 // of one pass in that
	Burst    uint32 // of one more activation of a task in that; a driver may also make a copy of the first one
	Tick     uint32 // of one iteration of a handler's loop
}

// costsOf analyses a kernel; without a typed tree nothing is known and ok is false.
func costsOf(p *tree.Program) (costs LoopCosts, ok bool) {
	if p == nil {
		return LoopCosts{}, false
	}
	c := &loopCounter{total: map[*tree.Function]uint32{}}
	for _, f := range p.Functions {
		for _, l := range loopsOf(f) {
			cost := c.within(l)
			switch {
			case f.Name == "vt_run_slice":
				costs.Pass = max(costs.Pass, cost)
			case f.Name == "vt_run_passes":
				costs.Schedule = max(costs.Schedule, cost)
			case f.Name == "vt_run":
				costs.Burst = max(costs.Burst, cost)
			case f.Name == "vt_run_plans":
				costs.Plan = max(costs.Plan, cost)
			case f.Name == "vt_run_waits":
				costs.Wait = max(costs.Wait, cost)
			case isHandlerFile(f.Pos.File):
				costs.Tick = max(costs.Tick, cost)
			}
		}
	}
	costs.Tick = max(costs.Tick, 1)
	return costs, true
}

type loopCounter struct {
	total map[*tree.Function]uint32 // loops and switches of a function with everything it calls
}

func isLoop(s tree.Stmt) bool {
	switch s.(type) {
	case *tree.For, *tree.While, *tree.DoWhile:
		return true
	}
	return false
}

func loopsOf(f *tree.Function) (loops []tree.Stmt) {
	tree.InspectStmts(f.Body, func(s tree.Stmt) {
		if isLoop(s) {
			loops = append(loops, s)
		}
	})
	return loops
}

// within counts the loops and switches of a statement, itself included, and of what it calls.
func (c *loopCounter) within(s tree.Stmt) (n uint32) {
	tree.InspectStmts(s, func(s tree.Stmt) {
		if _, isSwitch := s.(*tree.Switch); isSwitch || isLoop(s) {
			n++
		}
		for _, e := range tree.Exprs(s) {
			tree.Inspect(e, func(e tree.Expr) bool {
				if call, ok := e.(*tree.Call); ok {
					n += c.of(call.Func)
				}
				return true
			})
		}
	})
	return n
}

func (c *loopCounter) of(f *tree.Function) uint32 {
	if n, known := c.total[f]; known {
		return n
	}
	n := c.within(f.Body)
	c.total[f] = n
	return n
}
