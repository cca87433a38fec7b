//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
// The parts of main after a grid barrier had no constants.
#version 450
layout(local_size_x = 1) in;
struct S1 { uint m0; uint m1; };
struct S2 { uvec2 m0; uvec2 m1; float m2; uint m3; };
const S2[1] g3 = S2[1](S2(uvec2(1u), uvec2(0u), 0.0, 2147483647u));
uint g4 = 2147483647u;
struct Row { uvec4 u; ivec4 i; vec4 f; uint v6; uint v7; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
uint f5() {
  work[gl_GlobalInvocationID.x * 4u + 0u] = g3[(g4 % 1u)].m0.x;
  return 0u;
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  gridBarrier();
  uint v6 = work[0u % 4u];
  gridBarrier();
  uint v7 = f5();
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v6 = v6;
  rows[at].v7 = v7;
}
