//: grid 1 1 1
//: buffer 0 size 24
//: buffer 1 size 48
//: buffer 2 size 8
//: buffer 4 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf
//: buffer 7 size 2
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 2) in;
struct S1 { uint m0; uint m1; };
layout(std140, column_major, binding = 4) uniform Given { uvec2 c2; uint[2] c3; uint64_t c4; };
struct Row { uvec4 u; ivec4 i; vec4 f; i64vec4 v5; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared i64vec4 x6[2];
layout(std430, binding = 7) buffer Cells { uint[1] cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  x6[lane] = i64vec4(int64_t(0ul));
  groupMemoryBarrier(); barrier();
  i64vec4 v5 = x6[(false ? c3[0u] : 3u) % 2u];
  barrier();
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v5 = v5;
}
