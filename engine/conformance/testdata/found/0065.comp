//: grid 2 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17
//: buffer 1 size 32
//: buffer 2 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7
//: buffer 7 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a 0x664e36a9 0x13b0ac0b 0xba9c5b00 0x7b35a999 0xbe3f8575 0xe61f8594 0x607739fb 0x3f90d945 0x40b3c0c2 0x5eea3e9 0xbf26ab95 0x7dda84df
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct S1 { int8_t m0; uvec2 m1; };
struct Row { uvec4 u; ivec4 i; vec4 f; uint v4; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { S1 cells[]; };
void f2(inout uint p3) {
  work[gl_GlobalInvocationID.x * 4u + (cells[gl_GlobalInvocationID.x * 2u + 0u].m1[0u] % 4u)] /= 0u;
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  uint v4 = 0u;
  f2(v4);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v4 = v4;
}
