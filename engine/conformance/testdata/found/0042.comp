//: grid 1 1 1
//: buffer 0 = 0x90509b04 0xa8886281 0x9a9f6045 0xc77442b3 0x5c2abc13 0xdd9c87b1 0x67f1d9f8 0x1a1ba1d7 0x67c738dd 0xcd3969db 0xab920ef6 0xda8008af 0xcfdda5e5 0x1d313933 0x896daedd 0x7e842948 0xcc091906 0x49256b15 0xba25178e 0xe1d8a697 0x1de649d6 0xc1659719 0xb22c125b 0xe38dd49b 0x262f2eb 0xde8439e5 0x34a1d58 0x4eae49d 0x458c7831 0x6b3e90d5 0xe027b33 0xb444412e 0xc1357f57 0xa89d6a7 0xf71a53e9 0x4f1d3f94
//: buffer 1 size 48
//: buffer 2 = 0x90509b04 0xa8886281 0x9a9f6045 0xc77442b3 0x5c2abc13 0xdd9c87b1 0x67f1d9f8 0x1a1ba1d7 0x67c738dd 0xcd3969db 0xab920ef6 0xda8008af
//: buffer 5 size 68
//: buffer 5 = 0x5 0x2 0x1 0xc 0x1 0x41 0x0 0x1
//: buffer 6 size 24
//: buffer 6 = 0x3 0x1 0x1 0x3
#version 450
layout(local_size_x = 1, local_size_y = 1, local_size_z = 3) in;
struct S1 { uint m0; int m1; };
S1[1] g2 = S1[1](S1(2147483648u, 1722145286));
layout(binding = 5) uniform isampler2D t3;
layout(rgba16_snorm, binding = 6) uniform image2D m4;
ivec4 s5(isampler2D t, vec2 p, float l) { return textureLod(t, p, l); }
vec4 w6(image2D m, int at, vec4 v) { imageStore(m, ivec2(at, 0), v); return imageLoad(m, ivec2(at, 0)); }
struct Row { uvec4 u; ivec4 i; vec4 f; uint v9; int i11; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
S1 f7() {
  uvec3 v8 = ((false || (false ? (g2[0u].m1 <= 5) : false)) ? ((uvec3(g2[0u].m0) & (g2[0u].m0 - 0u)) ^ uvec3(uvec3(g2[(g2[0u].m0 % 1u)].m0))) : uvec3(work[(gl_WorkGroupID.x * 3u + gl_LocalInvocationIndex) * 4u + 3u]));
  v8 &= uvec3(827014986u);
  if (false) return g2[0u];
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = (gl_WorkGroupID.x * 3u + gl_LocalInvocationIndex);
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  gridBarrier();
  uint v9 = work[((lane | 0u) % packUnorm4x8(vec4(0.0))) % 12u];
  gridBarrier();
  {
    S1 v10 = f7();
  }
  work[(gl_WorkGroupID.x * 3u + gl_LocalInvocationIndex) * 4u + 2u]--;
  int i11 = 0;
  do {
    i11++;
    g2[((lane ^ 0u) % 1u)].m0 = (g2[0u].m0 - ((~ (~ 0u)) | u[0u]));
    work[(gl_WorkGroupID.x * 3u + gl_LocalInvocationIndex) * 4u + 3u] = g2[0u].m0;
  } while (i11 < 1);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v9 = v9;
  rows[at].i11 = i11;
}
