//: grid 1 1 1
//: buffer 0 = 0x2 0x0 0x1 0x3
//: buffer 1 size 128
//: buffer 2 size 16
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 1) buffer Rows { u64vec3 rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared u64vec3 met[4];
void main() {
  uint lane = gl_LocalInvocationIndex, at = source[lane];
  work[at & 3u] = lane;
  gridBarrier();
  at = work[at] & 3u;
  gridBarrier();
  met[lane] = u64vec3(2ul, 5ul + lane, 1ul);
  groupMemoryBarrier(); barrier();
  u64vec3 v = met[6u % 4u];
  barrier();
  v[2u] ^= 1097364144128ul;
  rows[lane] = v + at;
}
