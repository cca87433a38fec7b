//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 28
//: buffer 2 size 4
//: buffer 7 = 0x20 0x1f 0x55555555 0xaaaaaa
#version 450
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
struct S1 { uint m0; ivec2 m1; };
struct S2 { uint m0; uint m1; uint m2; uint[1] m3; };
struct Row { uvec4 u; ivec4 i; vec4 f; int64_t v7; int v8; int64_t[2][3] v9; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { S1 cells[]; };
int64_t[2][3] f3(out int64_t p4, out int p5) {
  p4 = int64_t(0ul);
  p5 = 2147483647;
  uint16_t v6 = min(mix((+ uint16_t(0u)), (uint16_t(0ul) / uint16_t(0u)), bool(int8_t(0))), (((u16vec4(uint16_t(0u))).w * (uint16_t(0u) >> cells[0u + ((cells[0u + (0u % 1u)].m0 | cells[0u + 0u].m0) % 1u)].m1.y)) << 0));
  if (true) return int64_t[2][3](int64_t[3](int64_t(0ul), int64_t(0ul), int64_t(0ul)), int64_t[3](int64_t(0ul), int64_t(0ul), int64_t(0ul)));
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  int64_t v7 = (-9223372032559808514l);
  int v8 = 31;
  int64_t[2][3] v9 = f3(v7, v8);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v7 = v7;
  rows[at].v8 = v8;
  rows[at].v9 = v9;
}
