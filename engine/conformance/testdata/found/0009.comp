//: grid 1 1 1
//: buffer 0 = 0x1f 0x10000 0x1 0x7fffffff 0x7fffffff 0x7ffff 0x5555555 0x10000 0xfffffffe 0xffffffff 0xffffff 0xffffff
//: buffer 1 size 12
//: buffer 2 = 0x1f 0x10000 0x1 0x7fffffff
// The sign of a NaN that arithmetic made showed in its half.
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  work[gl_GlobalInvocationID.x * 4u + 0u] = packHalf2x16((f.xx + vec2(0.0)));
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
