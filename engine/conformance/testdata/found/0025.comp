//: grid 1 1 1
//: buffer 0 = 0xffffffff 0xf 0x8000 0x1fffff 0x7fffffff 0x20 0x80000000 0x7fffffff 0xfffffffe 0xff 0x3fffffff 0x2000000
//: buffer 1 size 20
//: buffer 2 = 0xffffffff 0xf 0x8000 0x1fffff
// NVIDIA 580.159: with i = -2147483648 the high word was 0, as if abs(i) were positive.
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; ivec4 v1; ivec4 v2; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  ivec4 v1 = ivec4(0);
  ivec4 v2 = ivec4(0);
  imulExtended(ivec4(1), abs(i), v1, v2);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v1 = v1;
  rows[at].v2 = v2;
}
