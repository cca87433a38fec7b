package contract

import (
	"slices"
	"testing"

	"vyretop/engine"
	"vyretop/engine/glsl"
	"vyretop/engine/glsl/source"
	"vyretop/engine/speculate"
)

// squaresOf finds squares: the prefilter looks at the last four bits, which a square shares with few numbers.
const squaresOf = `#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint number[]; };
layout(std430, binding = 1) buffer Out { uint root[]; };
bool prefilter(uint item) {
	uint low = number[item] & 15u;
	return low == 0u || low == 1u || low == 4u || low == 9u;
}
bool confirm(uint item, out uint value) {
	uint n = number[item];
	value = 0u;
	while (value * value < n) value++;
	return value * value == n;
}
void commit(uint item, uint value) { root[item] = value; }
`

// sieved is what squaresOf does to numbers, and how many pass the prefilter.
func sieved(numbers []uint32) (roots []uint32, candidates, squares uint32) {
	roots = make([]uint32, len(numbers))
	for i, n := range numbers {
		if !slices.Contains([]uint32{0, 1, 4, 9}, n&15) {
			continue
		}
		candidates++
		v := uint32(0)
		for v*v < n {
			v++
		}
		if v*v == n {
			squares++
			roots[i] = v
		}
	}
	return roots, candidates, squares
}

// TestSpeculation runs a prefilter and a confirmer in every mode, with equal results and true counts; the
// adaptive mode turns itself off when too much is rolled back.
func TestSpeculation(t *testing.T) {
	many, few := make([]uint32, 500), make([]uint32, 500)
	for i := range many {
		many[i], few[i] = uint32(i*i), uint32(16*i+1)
	}
	onEach(t, func(t *testing.T, b device) {
		p, err := speculate.Compile(within(t), b, "sieve", &source.File{Name: "sieve.comp", Text: squaresOf}, glsl.Options{})
		check(t, err)
		for _, numbers := range [][]uint32{many, few} {
			want, candidates, squares := sieved(numbers)
			in := allocate(t, b, numbers...)
			for mode, name := range map[engine.Speculation]string{engine.SpeculationOff: "off", engine.SpeculationOn: "on"} {
				out := allocate(t, b, make([]uint32, len(numbers))...)
				pending, err := p.Start(within(t), bind(in, out), engine.DispatchConfig{Speculation: mode})
				check(t, err)
				counts, err := pending.(*speculate.Pending).Counts(within(t))
				check(t, err)
				same(t, name, contents(t, out), want)
				wantCounts := speculate.Counts{Committed: squares, Refused: candidates - squares}
				if mode == engine.SpeculationOn {
					wantCounts.Speculated, wantCounts.RolledBack = true, candidates-squares
				}
				if counts != wantCounts {
					t.Errorf("%s: %+v, want %+v", name, counts, wantCounts)
				}
			}
		}
		adaptive := func(numbers []uint32) speculate.Counts {
			out := allocate(t, b, make([]uint32, len(numbers))...)
			pending, err := p.Start(within(t), bind(allocate(t, b, numbers...), out), engine.DispatchConfig{Speculation: engine.SpeculationAdaptive})
			check(t, err)
			counts, err := pending.(*speculate.Pending).Counts(within(t))
			check(t, err)
			want, _, _ := sieved(numbers)
			same(t, "adaptive", contents(t, out), want)
			return counts
		}
		for _, c := range []struct {
			numbers []uint32
			on      bool // where the mode goes with them
		}{{many, true}, {few, false}, {many, true}} {
			for n := 0; p.Speculating() != c.on; n++ {
				if was := p.Speculating(); adaptive(c.numbers).Speculated != was || n == 20 {
					t.Fatalf("dispatch %d: the mode is %v", n, was)
				}
			}
			if adaptive(c.numbers).Speculated != c.on {
				t.Errorf("not as the mode says: %v", c.on)
			}
		}
		check(t, p.Close())
	})
}

// TestSpeculationBadInput: programs without the functions, and dispatches that do not fit.
func TestSpeculationBadInput(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		_, err := compile(t, b, "step", step).Start(within(t), bind(allocate(t, b, 1)), engine.DispatchConfig{Speculation: engine.SpeculationOn})
		wants(t, "a program without prefilter", err, engine.ErrInvalidProgram)
		_, err = speculate.Compile(within(t), b, "half", &source.File{Name: "half.comp", Text: "#version 450\nlayout(local_size_x = 8) in;\nbool prefilter(uint item) { return true; }\n"}, glsl.Options{})
		wants(t, "no confirm", err, engine.ErrInvalidProgram)
		p, err := speculate.Compile(within(t), b, "sieve", &source.File{Name: "sieve.comp", Text: squaresOf}, glsl.Options{})
		check(t, err)
		in, out := allocate(t, b, 1), allocate(t, b, 0)
		for name, cfg := range map[string]engine.DispatchConfig{
			"two axes":     {Grid: [3]uint32{1, 2, 1}},
			"several runs": {FixpointIterations: engine.Known[uint32](2)},
			"unknown mode": {Speculation: 7},
		} {
			_, err := p.Start(within(t), bind(in, out), cfg)
			wants(t, name, err, engine.ErrInvalidProgram)
		}
		_, err = p.Start(within(t), bind(in), engine.DispatchConfig{Speculation: engine.SpeculationOn, Grid: [3]uint32{1, 1, 1}})
		wants(t, "a missing buffer", err, engine.ErrInvalidProgram)
		_, err = p.Start(within(t), bind(in, out), engine.DispatchConfig{MaxOutputBytes: engine.Known[uint64](3)})
		wants(t, "too much output", err, engine.ErrDispatchFailed)
	})
}
