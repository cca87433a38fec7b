package reference

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"vyretop/engine"
)

// wideAtomics change components of 64 bits in ways whose end does not depend on the order; the additions carry into the second word.
const wideAtomics = `#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { uint64_t sum, low, high, bits, flips, counted; int64_t least, most; double total; } b;
shared uint64_t here;
void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t v = 0xFFFFFFF0ul + uint64_t(i);
  for (int k = 0; k < 20; k++) {
    atomicAdd(b.sum, v);
    atomicXor(b.flips, v << k);
    atomicAdd(b.total, 0.5lf);
  }
  atomicMin(b.low, v << 8);
  atomicMax(b.high, v << 8);
  atomicOr(b.bits, 1ul << (i & 63u));
  atomicMin(b.least, int64_t(7) - int64_t(v));
  atomicMax(b.most, int64_t(v) - 0x1000000000l);
  for (uint64_t old = b.counted, seen; (seen = atomicCompSwap(b.counted, old, old + 0x80000001ul)) != old; old = seen) ;
  atomicAnd(here, 0ul);
  atomicExchange(here, v);
}
`

// TestWideAtomicsLoseNothing: atomic functions on 64 bits are one step each, also where several goroutines run workgroups.
func TestWideAtomicsLoseNothing(t *testing.T) {
	const groups, n = 40, 320
	want := make([]uint64, 9)
	want[1] = 0xFFFFFFF0 << 8
	want[2] = (0xFFFFFFF0 + n - 1) << 8
	want[3] = math.MaxUint64
	want[5] = n * 0x80000001
	for i := range uint64(n) {
		for k := range 20 {
			want[0] += 0xFFFFFFF0 + i
			want[4] ^= (0xFFFFFFF0 + i) << k
		}
	}
	least, most := int64(7-(0xFFFFFFF0+n-1)), int64(0xFFFFFFF0+n-1)-0x1000000000
	want[6], want[7], want[8] = uint64(least), uint64(most), math.Float64bits(0.5*20*n)
	for _, parallel := range []int{0, 4} {
		t.Run(fmt.Sprint("parallel ", parallel), func(t *testing.T) {
			b := openBackend(t, Options{TimeSlice: 8, Parallel: parallel})
			in := make([]uint32, 18)
			in[2], in[3], in[14], in[15] = math.MaxUint32, math.MaxUint32, 0, 0x80000000
			out, _, err := dispatch(t, compileText(t, b, "wide.comp", wideAtomics), engine.DispatchConfig{Grid: [3]uint32{groups, 1, 1}}, in)
			if err != nil {
				t.Fatal(err)
			}
			var got []uint64
			for i := range 9 {
				got = append(got, uint64(out[0][2*i])|uint64(out[0][2*i+1])<<32)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%x, want %x", got, want)
			}
		})
	}
}

// TestFloatExtremesAreThoseOfMin: atomicMin and atomicMax give what min and max give, with NaN and zeros too.
func TestFloatExtremesAreThoseOfMin(t *testing.T) {
	b := openBackend(t, Options{})
	p := compileText(t, b, "extremes.comp", `#version 450
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer A { float low[]; };
layout(std430, binding = 1) buffer B { float high[]; };
layout(std430, binding = 2) readonly buffer V { float v[]; };
layout(std430, binding = 3) writeonly buffer R { bool same[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  float a = low[i], b = high[i];
  float x = atomicMin(low[i], v[i]), y = atomicMax(high[i], v[i]);
  same[i] = floatBitsToUint(x) == floatBitsToUint(a) && floatBitsToUint(y) == floatBitsToUint(b) &&
    floatBitsToUint(low[i]) == floatBitsToUint(min(a, v[i])) && floatBitsToUint(high[i]) == floatBitsToUint(max(b, v[i]));
}
`)
	special := []float32{0, float32(math.Copysign(0, -1)), 1, -1.5, math.MaxFloat32, math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	var at, with []uint32
	for _, a := range special {
		for _, v := range special {
			at, with = append(at, math.Float32bits(a)), append(with, math.Float32bits(v))
		}
	}
	out, _, err := dispatch(t, p, engine.DispatchConfig{Grid: [3]uint32{uint32(len(at)), 1, 1}}, at, slices.Clone(at), with, make([]uint32, len(at)))
	if err != nil {
		t.Fatal(err)
	}
	for i, same := range out[3] {
		if same == 0 {
			t.Errorf("%08x with %08x: %08x and %08x", at[i], with[i], out[0][i], out[1][i])
		}
	}
}
