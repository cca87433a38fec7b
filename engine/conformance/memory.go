package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"

	"vyretop/engine/glsl/tree"
)

// atomicKernel applies one atomic in three ways: every invocation on a place of its own, whose old
// value is a result; all on one place, where only the end counts; and in divergent control flow. The
// values for all to exchange are equal, so that their order does not show.
const atomicKernel = `#version 450
#extension GL_EXT_shader_atomic_float : enable
#extension GL_EXT_shader_atomic_float2 : enable
#extension GL_EXT_shader_atomic_int64 : enable
#extension GL_ARB_gpu_shader_int64 : enable
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { %[1]s values[]; };
layout(std430, binding = 1) buffer Out { %[1]s joint; %[1]s divergent; %[1]s own[64]; %[1]s old[64]; };
shared %[1]s place[32], all, some;
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
  %[1]s v = values[2u * i], c = values[2u * i + 1u];
  if (l == 0u) { all = %[1]s(5); some = %[1]s(9); }
  place[l] = c;
  memoryBarrierShared();
  barrier();
  old[i] = %[2]s;
  %[3]s;
  if ((l & 3u) == 1u) %[4]s;
  memoryBarrierShared();
  barrier();
  %[5]s
}
`

// orderFree are the atomics whose effect on one place does not depend on who came first.
var orderFree = map[tree.AtomicOp]bool{tree.AtomicAdd: true, tree.AtomicMin: true, tree.AtomicMax: true,
	tree.AtomicAnd: true, tree.AtomicOr: true, tree.AtomicXor: true}

// atomicCases apply each atomic to each kind in both classes of memory.
func atomicCases(r *rand.Rand) []Case {
	var list []Case
	for op := tree.AtomicAdd; op <= tree.AtomicCompSwap; op++ {
		for _, s := range tree.LookupBuiltin("atomic" + op.String()).Signatures {
			for _, memory := range []string{"buffer", "shared"} {
				list = append(list, atomicCase(op, s.Result, memory, r))
			}
		}
	}
	return list
}

// atomicValues are the operands: those of floats are small whole numbers, whose sums do not depend on the order.
func atomicValues(t *tree.Type, rows int, r *rand.Rand) []uint32 {
	in := &sheet{operands: []*tree.Type{t, t}}
	words := in.fill(rows, r)
	if t.Kind.IsFloat() {
		n := t.Kind.Words()
		for i := range len(words) / n {
			if whole := float64(1 + i%7); n == 2 {
				bits := math.Float64bits(whole)
				words[2*i], words[2*i+1] = uint32(bits), uint32(bits>>32)
			} else {
				words[i] = math.Float32bits(float32(whole))
			}
		}
	}
	return words
}

func atomicCase(op tree.AtomicOp, t *tree.Type, memory string, r *rand.Rand) Case {
	own, common, divergent := "own[i]", "joint", "divergent"
	finish := ""
	if memory == "shared" {
		own, common, divergent = "place[l]", "all", "some"
		finish = "own[i] = place[l]; if (i == 0u) { joint = all; divergent = some; }"
	}
	call := func(place, value string) string {
		if op == tree.AtomicCompSwap {
			return fmt.Sprintf("atomicCompSwap(%s, (i & 1u) == 0u ? %s : %s(5), %s)", place, place, t, value)
		}
		return fmt.Sprintf("atomic%s(%s, %s)", op, place, value)
	}
	shared := "v"
	if !orderFree[op] {
		shared = t.String() + "(5)"
	}
	const groups = 2
	return Case{
		Name: fmt.Sprintf("atomic.%s.%s(%s)", op, memory, t),
		Text: fmt.Sprintf(atomicKernel, t, call(own, "v"), call(common, shared), call(divergent, shared), finish),
		Grid: [3]uint32{groups, 1, 1},
		Buffers: []Buffer{
			{Binding: 0, Words: atomicValues(t, 32*groups, r)},
			{Binding: 1, Words: filled((2+2*32*groups)*t.Kind.Words(), untouched)},
		},
	}
}

// barrierKernel exchanges values through shared and through buffer memory, with one barrier function
// between the stores and barrier().
const barrierKernel = `#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Out { uint values[64]; uint turned[64]; };
shared uint places[32];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex, v = i;
  for (uint k = 0u; k < 4u; k++) {
    places[l] = v;
    values[i] = v + k;
    %[1]s;
    %[2]sbarrier();
    v = v * 5u + places[(l + k + 1u) & 31u] + values[(i & 32u) | ((l + 3u * k) & 31u)];
    barrier();
  }
  turned[i] = v;
}
`

// gridBarrierKernel exchanges values between workgroups, and carries private, shared and local values
// across the barriers. Some invocations return before the second one.
const gridBarrierKernel = `#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) coherent buffer Out { uint values[64]; uint turned[64]; };
struct Carried { bool odd; ivec2 at; float half_[2]; };
shared uint places[40];
uint calls = 0u;
uint turn(uint v) { calls++; return v * 5u + calls; }
void main() {
  const uint last = 63u;
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex, v = turn(i);
  Carried c;
  c.odd = (i & 1u) == 1u; c.at = ivec2(int(i), -int(i)); c.half_[1] = float(i) / 2.0;
  places[l] = v; places[39u - (l & 7u)] = l & 7u;
  values[i] = v;
  gridBarrier();
  uint other = turn(values[last - i]) + places[39u - (l & 7u)];
  if (i % 7u == 3u) return;
  gridBarrier();
  values[i] = other + calls;
  gridBarrier();
  turned[i] = v + values[(i + 32u) & last] + places[31u - l] + (c.odd ? 1u : 0u) + uint(c.at.x + c.at.y) + floatBitsToUint(c.half_[1]);
}
`

// barrierCases use each barrier function. Those that only order memory accompany a barrier that does
// that too, since barrier() alone orders shared memory only.
func barrierCases() []Case {
	var list []Case
	for i := range tree.Builtins {
		b := &tree.Builtins[i]
		if b.Family != tree.FamilyBarrier {
			continue
		}
		text := fmt.Sprintf(barrierKernel, b.Name+"()", "memoryBarrier(); ")
		if b.ID == tree.FnGridBarrier {
			text = gridBarrierKernel
		}
		list = append(list, Case{
			Name: "builtin." + b.Name + "()", Text: text,
			Grid:    [3]uint32{2, 1, 1},
			Buffers: []Buffer{{Binding: 0, Words: make([]uint32, 128)}},
		})
	}
	return list
}
