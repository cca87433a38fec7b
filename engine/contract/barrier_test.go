package contract

import (
	"testing"

	"vyretop/engine"
	"vyretop/engine/submit"
)

// prefix sums up what all workgroups before have stored, twice over, with values that live across.
const prefix = `layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer S { uint sums[64]; uint total[]; };
struct Kept { bvec2 odd; float half_; int back[2]; };
shared uint part[16];
uint touched = 0u;
uint twice(uint x) { touched++; return 2u * x; }
void main() {
	uint g = gl_WorkGroupID.x, l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x;
	Kept k;
	k.odd = bvec2((i & 1u) == 1u, (i & 2u) == 2u);
	k.half_ = float(i) / 2.0;
	k.back[1] = -int(i);
	part[l] = twice(i);
	barrier();
	if (l == 0u) {
		uint n = 0u;
		for (uint j = 0u; j < 16u; j++) n += part[j];
		sums[g] = n;
	}
	gridBarrier();
	uint before = 0u;
	for (uint j = 0u; j < g; j++) before += sums[j];
	if (i == 5u) return;
	gridBarrier();
	sums[g] = 0u;
	total[i] = before + part[15u - l] + twice(touched) + (k.odd.x ? 1000u : 0u) + (k.odd.y ? 2000u : 0u) + uint(k.half_) * 7u + uint(-k.back[1]);
}
`

// TestGridBarrier: workgroups see what all of them stored before the barrier, values live across it, and
// both backends agree to the last word, for several grids and runs.
func TestGridBarrier(t *testing.T) {
	p := program(t, "prefix", prefix)
	want := map[uint32][]uint32{}
	for _, groups := range []uint32{1, 3, 40} {
		total := make([]uint32, 16*groups)
		for i := range total {
			n := uint32(i)
			g, l := n/16, n%16
			var before uint32
			for j := range 16 * g {
				before += 2 * j
			}
			total[i] = before + 2*(16*g+15-l) + 2 + n%2*1000 + n/2%2*2000 + n/2*7 + n
		}
		total[5] = 0
		want[groups] = append(make([]uint32, 64), total...)
	}
	onEach(t, func(t *testing.T, b device) {
		pl, err := b.Compile(within(t), p)
		check(t, err)
		r := submit.New(b, pl)
		for groups, words := range want {
			for _, cfg := range []engine.DispatchConfig{{}, {Profile: engine.ProfileStress}, {Cooperative: true}, {FixpointIterations: engine.Known[uint32](2)}} {
				cfg.Grid = [3]uint32{groups, 1, 1}
				out, _, err := r.Dispatch(within(t), []submit.Resource{submit.Zeros(int(64 + 16*groups))}, cfg)
				check(t, err)
				same(t, "sums and totals", out[0], words)
			}
		}
		check(t, r.Close())
	})
}

// TestGridBarrierLimits: a grid that comes from memory cannot be divided, and one beyond what a backend can
// hold is an error.
func TestGridBarrierLimits(t *testing.T) {
	onEach(t, func(t *testing.T, b device) {
		p := compile(t, b, "prefix", prefix)
		buf := allocate(t, b, make([]uint32, 80)...)
		_, err := p.Start(within(t), bind(buf), engine.DispatchConfig{Indirect: engine.IndirectGrid{Buffer: allocate(t, b, 1, 1, 1)}})
		wants(t, "an indirect grid", err, engine.ErrInvalidProgram)
		_, err = p.Start(within(t), bind(buf), engine.DispatchConfig{Grid: [3]uint32{65535, 65535, 1}})
		if b.Identity().Name == "reference" {
			wants(t, "too many to wait", err, engine.ErrResidencyExceeded)
		} else {
			wants(t, "too much to carry", err, engine.ErrDeviceOutOfMemory)
		}
	})
}
