package check

import (
	"os"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/reference/lower"
	"vyretop/engine/reference/vm"
)

func benchTarget(b *testing.B) Target {
	lanes, err := os.ReadFile("testdata/bench/lanes.comp")
	if err != nil {
		b.Fatal(err)
	}
	p, _, err := engine.CompileProgram("lanes.comp", &source.File{Name: "lanes.comp", Text: string(lanes)}, glsl.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return Target{Program: p, Buffers: map[uint32][]uint32{0: make([]uint32, 1<<16)}, Grid: [3]uint32{4, 1, 1}}
}

// BenchmarkRaceAmongMany finds one race among 4,096 invocations of a thousand accesses each.
func BenchmarkRaceAmongMany(b *testing.B) {
	t := benchTarget(b)
	for range b.N {
		r, err := Run(b.Context(), t)
		if err != nil || len(r.Findings) != 1 || r.Findings[0].Kind != Race {
			b.Fatalf("%+v, %v", r, err)
		}
	}
}

// BenchmarkOverhead runs the same dispatch in turns with all checkers and without any, and reports how many times as long
// the one takes.
func BenchmarkOverhead(b *testing.B) {
	t := benchTarget(b)
	var with, without float64
	for range b.N {
		begin := b.Elapsed()
		if _, err := Run(b.Context(), t); err != nil {
			b.Fatal(err)
		}
		middle := b.Elapsed()
		plain(b, t)
		with += (middle - begin).Seconds()
		without += (b.Elapsed() - middle).Seconds()
	}
	b.ReportMetric(with/without, "times")
}

// plain runs a dispatch on the interpreter alone.
func plain(b *testing.B, t Target) {
	low, err := lower.Lower(t.Program.Tree)
	if err != nil {
		b.Fatal(err)
	}
	code, err := vm.Verify(low.Code)
	if err != nil {
		b.Fatal(err)
	}
	linked, err := code.Link([]vm.Memory{{Words: t.Buffers[0]}})
	if err != nil {
		b.Fatal(err)
	}
	g := linked.NewGroup(nil)
	for n := range t.Grid[0] {
		g.Start([3]uint32{n, 0, 0}, t.Grid, DefaultBudget)
		for g.State() == vm.Running {
			g.Run(turn)
		}
	}
}
