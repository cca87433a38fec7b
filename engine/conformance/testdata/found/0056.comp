//: grid 2 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x12 0x13 0x14 0x15 0x16 0x17 0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f 0x20 0x21 0x22 0x23 0x24 0x25 0x26 0x27 0x28 0x29 0x2a 0x2b 0x2c 0x2d 0x2e 0x2f
//: buffer 1 size 64
//: buffer 2 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf
//: buffer 7 = 0xffffffff 0xffffffff 0xfffff 0x7ff 0x20 0x7fffffff 0x20 0x10000 0x1ffff 0x20 0x3 0x80000000 0x400 0x7fffffff 0xffffff 0xffffffff 0x3ffffff 0x1f 0x80000000 0xfffffffe 0xffff 0x20 0xffff 0x10000 0x7fffffff 0x20 0x1 0xfffffffe 0xfff 0xffffffff 0x0 0x7fffffff 0x7fffffff 0x7fffffff 0xfffffffe 0x3f 0x7ffffff 0x8000 0x10000 0x1ff 0xff 0xff 0x3ffffff 0x7fffffff 0x7ffffff 0x1f 0x1f 0xff 0xfffffff 0x20 0x20 0x1f 0x80000000 0x10000 0xfff 0x200 0x55555555 0x10000 0xffff 0x20 0x0 0x2aaaaaa 0xffffffff 0x20 0x10000 0xfffffffe 0xffffffff 0x3fffff 0x55555555 0xffff 0x3fffffff 0x2aaaaaa 0x3ff 0x20 0x7fffffff 0x3fffffff 0xffffff 0xffffffff 0xffffffff 0xffffffff 0x3fffffff 0x7fffffff 0xffff 0xffffff 0x20 0xffff 0x7f 0x80000000 0x7ff 0x20 0x4 0x1ffffff 0x80000000 0xfffffffe 0x7fffff 0xfffffffe
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1, local_size_y = 2, local_size_z = 1) in;
struct S1 { uint[2] m0; uint64_t m1; int m2; vec3 m3; };
const float g2 = 0.1;
i64vec2 g3 = i64vec2((-9011037807513552990l));
struct Row { uvec4 u; ivec4 i; vec4 f; int v4; int i6; uint v9; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared int x5[2];
layout(std430, binding = 7) buffer Cells { S1 cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = (gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex);
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  x5[lane] = i[1u];
  groupMemoryBarrier(); barrier();
  int v4 = x5[((at - 0u) + (2147483647u ^ 1431655765u)) % 2u];
  barrier();
  v4 = (((clamp(0, int(-7), int(100)) >> (true ? lane : u.x)) | v4) << v4);
  int i6 = 0;
  while (i6 < 2) {
    i6++;
    switch ((int(cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + 0u].m1) & (1 * (false ? v4 : v4))) & 3) {
    default: {
      uint v7 = ++work[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 4u + ((~ cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + ((lane ^ 7u) % 2u)].m0[1u]) % 4u)];
      for (int i8 = 0; i8 < 3; i8++) {
        g3.y &= int64_t(6ul);
        cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + (uint(lane) % 2u)].m3.xy = (cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + 1u].m3.y / (((- 0.0) / cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + 1u].m3.y) + f.yx));
      }
    }
    break;
    }
  }
  gridBarrier();
  uint v9 = work[gl_WorkGroupID.z % 16u];
  gridBarrier();
  cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + 1u] = cells[(gl_WorkGroupID.x * 2u + gl_LocalInvocationIndex) * 2u + 1u];
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v4 = v4;
  rows[at].i6 = i6;
  rows[at].v9 = v9;
}
