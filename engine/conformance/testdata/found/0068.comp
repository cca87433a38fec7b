//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; int n2; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  int n2 = 0;
  for (uint i1 = 2147483647u; i1 != 2147483646u; i1 *= 4294967295u) {
    if (++n2 > 2) break;
    if (false) { if (i1 == 2147483646u) break; }
    work[gl_GlobalInvocationID.x * 4u + 0u] = i1;
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].n2 = n2;
}
