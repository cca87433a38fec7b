//: grid 2 1 1
//: buffer 0 = 0 1 4 9 16 25 36 49 64 81 100 121 144 169 196 225
//: buffer 1 size 64
//: buffer 2 size 16
// Invocations leave loops in rounds of their own and take along what they read in that round, from a buffer,
// from shared memory and by an atomic.
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) readonly buffer In { uint number[]; };
layout(std430, binding = 1) buffer Out { uvec4 result[]; };
layout(std430, binding = 2) buffer Tickets { uint ticket[]; };
shared uint kept[8];
bool square(uint i, out uint v) {
  v = 0u;
  while (v * v < number[i]) v++;
  return v * v == number[i];
}
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex, v = 0u, n = 0u, s = 0u, t = 0u, k = 0u;
  kept[l] = number[i];
  barrier();
  do { n = number[i]; v++; } while (v * v < n);
  for (v = 0u;; v++) { s = kept[l]; if (v * 2u >= s) break; }
  do { t = atomicAdd(ticket[i], 1u); } while (t < l);
  for (v = 0u; v < 40u; v++) { k = number[v & 15u]; if (v > i) break; }
  uint root = 0u;
  bool is = square(i, root);
  result[i] = uvec4(n, s, t * 1000u + k, is ? root : 77u);
}
