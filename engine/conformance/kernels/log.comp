//: grid 2 1 1
//: buffer 0 random 64 seed 8
//: buffer 1 size 512
#version 450
// Debug-log records, one place for each invocation.
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uint values[]; };
layout(std430, binding = 1) writeonly buffer Log { uint words[]; };
uint at = gl_GlobalInvocationID.x * 8u;
uint vt_bits(uint x) { return x; }
uint vt_bits(int x) { return uint(x); }
uint vt_bits(bool x) { return uint(x); }
uint vt_bits(float x) { return floatBitsToUint(x); }
void vt_debugf(uint format, uint count, uint a, uint b, uint c, uint d) {
  words[at] = format; words[at + 1u] = count;
  words[at + 2u] = a; words[at + 3u] = b; words[at + 4u] = c; words[at + 5u] = d;
}
void main() {
  uint v = values[gl_GlobalInvocationID.x];
  switch (v & 3u) {
    case 0u: debugf("none"); break;
    case 1u: debugf("%u of %x is %d", v, v >> 1, int(v)); break;
    case 2u: debugf("%f, %u", uintBitsToFloat(v & 0x7FFFFFu | 0x3F800000u), v > 9u); break;
    default: debugf("none"); debugf("100%% %d %d %d %d", -1, int(v & 7u), 3, 4);
  }
}
