//: grid 2 1 1
//: buffer 0 random 256 seed 1
//: buffer 1 size 256
#version 450
// Each kind of loop, nested, with break, continue and return in lanes that disagree.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uvec4 values[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };
uint collatz(uint n, uint most) {
  uint steps = 0u;
  while (n != 1u) {
    if (++steps > most) return 1000u + steps;
    n = (n & 1u) == 0u ? n >> 1 : 3u * n + 1u;
  }
  return steps;
}
uint triangle(uint n) {
  uint sum = 0u;
  for (uint i = 0u; i < n; i++) {
    for (uint j = i; ; j += 2u) {
      if (j > 9u) break;
      if ((i ^ j) == 5u) continue;
      sum += i * j;
    }
    ;
  }
  return sum;
}
uint last(uint x) {
  uint n = 0u;
  do {
    n++;
    if ((x & 0x80u) != 0u) { x <<= 1; continue; }
    x = (x << 1) | 1u;
    if (n > 20u) break;
  } while ((x & 0x8000u) == 0u || n < 4u);
  return n * 65536u + (x & 0xFFFFu);
}
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 v = values[i];
  uint count = 0u, k = 3u;
  for (; k != 0u; ) { k--; count += k; }
  for (int c = 5, d = 1; bool more = c > d; --c) count = count * 2u + uint(more) + uint(c);
  while (bool go = count < 4096u) { count += uint(go) + (v.w & 1023u); }
  results[i] = uvec4(collatz((v.x & 63u) + 1u, 40u), triangle(v.y & 15u), last(v.z), count);
}
