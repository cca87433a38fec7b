//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
//: buffer 7 size 1
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
struct S1 { uint m0; uvec2 m1; uint m2; uint m3; };
S1 g2 = S1(0u, uvec2(0u, 0u), 2147483647u, 0u);
struct Row { uvec4 u; ivec4 i; vec4 f; i64vec2 v6; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { uint[1] cells[]; };
void f3(inout i64vec2 p4, in uint p5) {
  p4[0u]++;
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  i64vec2 v6 = i64vec2(int64_t(1ul));
  f3(v6, 0u);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v6 = v6;
}
