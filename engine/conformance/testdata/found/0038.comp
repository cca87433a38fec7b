//: grid 1 1 1
//: buffer 0 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a 0x664e36a9 0x13b0ac0b 0xba9c5b00 0x7b35a999 0xbe3f8575 0xe61f8594 0x607739fb 0x3f90d945
//: buffer 1 size 16
//: buffer 2 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; mat2 v1; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  mat2 v1 = (mat2(f.x) * mat2(vec2(0.0), vec2(0.0)));
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v1 = v1;
}
