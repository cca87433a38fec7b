//: grid 1 1 1
//: buffer 0 size 24
//: buffer 1 size 24
//: buffer 2 size 8
//: buffer 7 size 16
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 2) in;
struct S1 { uint m0; uint[1] m1; int64_t m2; };
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
  cells[gl_GlobalInvocationID.x * 2u + 0u] = cells[gl_GlobalInvocationID.x * 2u + 0u];
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
