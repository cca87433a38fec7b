//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 36
//: buffer 2 size 4
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; i64vec2[2][3] v2; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
i64vec2[2][3] f1() {
  if (bool(2147483647u)) return i64vec2[2][3](i64vec2[3](i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul))), i64vec2[3](i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul))));
  return i64vec2[2][3](i64vec2[3](i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul))), i64vec2[3](i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul)), i64vec2(int64_t(0ul))));
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  i64vec2[2][3] v2 = f1();
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v2 = v2;
}
