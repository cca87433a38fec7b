//: grid 2 1 1
//: buffer 0 random 64 seed 2
//: buffer 1 size 64
#version 450
// switch with fallthrough, a default in the middle, none at all, and inside loops.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
uint fall(uint tag) {
  uint x = 1u;
  switch (tag & 7u) {
    case 0u: x += 10u;
    case 1u: case 2u: x *= 3u; break;
    default: x += 100u;
    case 5u: x ^= 0x55u; if ((tag & 8u) != 0u) break; x <<= 2;
    case 6u: return x + 7u;
  }
  return x;
}
int without(int tag) {
  int x = tag;
  switch (tag) { case -1: x = 5; break; case 2: { int x = 9; x++; } case 3: x = -x; }
  switch (tag) {}
  return x;
}
void main() {
  uint i = gl_GlobalInvocationID.x, v = values[i], sum = 0u;
  for (uint k = 0u; k < 12u; k++) {
    switch ((v >> k) & 3u) {
      case 0u: continue;
      case 1u: sum += fall(v >> (2u * k)); break;
      case 3u: if (k > 8u) { k += 2u; break; } sum ^= k;
    }
    sum = sum * 5u + uint(without(int(k) - 3));
  }
  results[i] = sum;
}
