//: grid 1 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb
//: buffer 1 size 12
//: buffer 2 = 0x0 0x1 0x2 0x3
//: buffer 7 = 0xffff 0x10000 0x7 0xffffffff 0xffff
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct S1 { int16_t m0; };
uint g2 = 5u;
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { int16_t[3] cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  g2 = ((false ? 0u : uint((cells[0u + (at % 3u)][2u] ^ cells[0u + 2u][((0u + g2) % 3u)]))) - 0u);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
