//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
// NVIDIA 580.159 refused the text, for the values of i1.
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
  for (int i1 = int(2147483647u); i1 > int(2147483648u); i1--) {
    if (++n2 > 1) break;
    if (i1 == int(2147483646u)) break;
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].n2 = n2;
}
