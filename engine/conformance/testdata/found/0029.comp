//: grid 1 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb
//: buffer 1 size 16
//: buffer 2 = 0x0 0x1 0x2 0x3
//: buffer 3 size 1
// llvmpipe (Mesa 22.3, LLVM 15) inserted a one in place of a zero, seen by findMSB alone.
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; ivec2 v2; uint v3; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared uint groupAddU;
layout(std430, binding = 3) coherent buffer Totals { uint groupAddUs; };
shared uint x4[1];
void f1() {
  atomicAdd(groupAddU, 0u);
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  if (lane == 0u) { groupAddU = uint(1000); }
  barrier();
  ivec2 v2 = findMSB((bitfieldInsert(u, uvec4(at), 0, sign(i.x))).xx);
  x4[lane] = 0u;
  barrier();
  uint v3 = x4[(lane + 0u) % 1u];
  barrier();
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v2 = v2;
  rows[at].v3 = v3;
  barrier();
  if (lane == 0u) atomicAdd(groupAddUs, groupAddU);
}
