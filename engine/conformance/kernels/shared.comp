//: grid 3 1 1
//: buffer 0 random 192 seed 6
//: buffer 1 size 256
#version 450
// A prefix sum, a histogram and a compare-and-swap loop in shared memory.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) buffer Out { uint sums[192]; uint histogram[16]; uint product; uint places[3]; };
shared uint scan[64], counts[16];
shared struct { uint product; uint done[2]; } state;
void main() {
  uint l = gl_LocalInvocationIndex, i = gl_GlobalInvocationID.x, v = values[i];
  if (l < 16u) counts[l] = 0u;
  if (l == 0u) state.product = 1u;
  scan[l] = v & 0xFFFFu;
  barrier();
  for (uint step = 1u; step < 64u; step <<= 1) {
    uint before = l >= step ? scan[l - step] : 0u;
    barrier();
    scan[l] += before;
    barrier();
  }
  atomicAdd(counts[v & 15u], 1u);
  bool done = false;
  while (!done) {
    uint seen = state.product;
    done = atomicCompSwap(state.product, seen, seen * (v | 1u)) == seen;
  }
  barrier();
  sums[i] = scan[l];
  if (l < 16u) atomicAdd(histogram[l], counts[l]);
  if (l == 63u) { atomicXor(product, state.product); places[gl_WorkGroupID.x] = state.product; }
}
