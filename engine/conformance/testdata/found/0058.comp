//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 12
//: buffer 2 size 4
//: buffer 7 size 1
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
struct S1 { uint m0; uint m1; uint m2; uint m3; };
struct S2 { uvec2 m0; int64_t m1; i64vec4 m2; uvec3 m3; };
S2[3] g3 = S2[3](S2(uvec2(0u), int64_t(0ul), i64vec4(int64_t(0ul)), uvec3(0u)), S2(uvec2(0u), int64_t(0ul), i64vec4(int64_t(0ul), int64_t(0ul), int64_t(0ul), int64_t(9223372034707292159ul)), uvec3(0u, 0u, 0u)), S2(uvec2(0u), int64_t(0ul), i64vec4(int64_t(0ul)), uvec3(0u)));
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { uint[1] cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  g3[(cells[0u + 0u][0u] % 3u)] = S2(uvec2(0u), int64_t(0ul), i64vec4(int64_t(0ul)), uvec3(0u));
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
