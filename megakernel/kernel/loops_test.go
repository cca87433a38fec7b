package kernel

import (
	"slices"
	"strings"
	"testing"

	"vyretop/engine/glsl/tree"
)

// Each loop of the kernel says in its condition what a look at it costs; the number must be the one
// that the loops in its body make.
func TestKernelLoopsCostWhatTheySay(t *testing.T) {
	for i, slots := range []int{4096, 100_000, 4096, 100_000} {
		c := countdown()
		c.Slots = slots
		c.WorkgroupSize = 8 + 120*(i/2)
		c.Mirror = i >= 2
		k, err := Assemble(c)
		if err != nil {
			t.Fatal(err)
		}
		counter := &loopCounter{total: map[*tree.Function]uint32{}}
		checked := 0
		for _, f := range k.Program.Tree.Functions {
			if !strings.HasPrefix(f.Pos.File, prefix) {
				continue
			}
			for _, l := range loopsOf(f) {
				said, constant := saidCost(l)
				if want := counter.within(l); constant && said != want {
					t.Errorf("%d slots: the loop of %s in line %d says %d, it costs %d", slots, f.Name, f.Pos.Line, said, want)
				}
				if !constant && !slices.Contains([]string{"vt_run_slice", "vt_run_passes", "vt_run_plans", "vt_run_waits", "vt_take_turns", "vt_run"}, f.Name) {
					t.Errorf("%d slots: a loop of %s has no vt_step with a constant", slots, f.Name)
				}
				checked++
			}
		}
		if checked < 10 {
			t.Fatalf("only %d loops found", checked)
		}
	}
}

// saidCost finds the constant argument of vt_step in a loop's condition.
func saidCost(loop tree.Stmt) (cost uint32, constant bool) {
	for _, e := range tree.Exprs(loop) {
		tree.Inspect(e, func(e tree.Expr) bool {
			call, ok := e.(*tree.Call)
			if !ok || call.Func.Name != "vt_step" {
				return true
			}
			if c, ok := call.Args[0].X.(*tree.Const); ok {
				cost, constant = c.Bits[0], true
			}
			return false
		})
	}
	return cost, constant
}
