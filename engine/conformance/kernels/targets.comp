//: grid 2 1 1
//: buffer 0 random 512 seed 2
//: buffer 1 size 1024
//: buffer 2 = 0x0 0x1 0x2 0x3 0x3 0x2 0x1 0x0
#version 450
// Assignments whose value is read, to elements whose index the assignment may change.
layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer In { uvec4 values[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };
layout(std430, binding = 2) buffer Work { uint work[]; };
shared uint common_[16];
struct Pair { uint a; uint b[2]; };
uint own(uvec4 v) {
  uint a[4] = uint[4](v.x & 3u, v.y & 3u, v.z & 3u, v.w & 3u);
  uint n = ++a[a[0]];
  n = n * 8u + a[a[1] & 3u]--;
  n = n * 8u + (a[a[2] & 3u] = 2u);
  n = n * 8u + (a[a[3] & 3u] ^= 3u);
  return n * 8u + (a[a[0] & 3u] <<= a[1] & 1u);
}
uint parts(uvec4 v) {
  Pair p[2];
  p[0] = Pair(v.x & 1u, uint[2](v.y & 1u, v.z & 1u));
  p[1] = Pair(v.w & 1u, uint[2](1u, 0u));
  uint n = --p[p[0].a].a;
  n += (p[p[1].b[1] & 1u] = Pair(1u, uint[2](0u, 1u))).b[p[0].b[0] & 1u];
  return n * 4u + (p[0].b[p[0].b[1] & 1u] += 2u);
}
uint waves(uvec4 v) {
  float f[4] = float[4](1.0, 2.0, 0.0, 3.0);
  float g = ++f[uint(f[v.x & 3u])] + (f[uint(f[v.y & 3u]) & 3u] *= 2.0) + (f[uint(f[2]) & 3u] = 3.0);
  return floatBitsToUint(g - f[1]--);
}
void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex * 4u;
  for (uint k = 0u; k < 4u; ++k) common_[lane + k] = values[i][k] & 3u;
  uint n = ++common_[lane + common_[lane + 3u]];
  n = n * 8u + (common_[lane + (common_[lane] & 3u)] = 1u);
  if (lane == 0u) {
    uint at = gl_WorkGroupID.x * 4u;
    n = n * 8u + ++work[at + work[at + 3u] % 4u];
    n = n * 8u + (work[at + work[at] % 4u] |= 4u);
  }
  results[i] = uvec4(n, own(values[i]), parts(values[i]), waves(values[i]));
}
