//: grid 1 1 1
//: buffer 0 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a 0x664e36a9 0x13b0ac0b 0xba9c5b00 0x7b35a999 0xbe3f8575 0xe61f8594 0x607739fb 0x3f90d945
//: buffer 1 size 12
//: buffer 2 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a
//: buffer 7 size 1
#version 450
layout(local_size_x = 1) in;
struct S1 { int m0; };
mat2x3 g2 = mat2x3(vec3(0.0), vec3(0.0, 0.0, 0.0));
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { S1 cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  {
    cells[0u + 0u] = S1(0);
    f *= float(cells[0u + 0u].m0);
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
