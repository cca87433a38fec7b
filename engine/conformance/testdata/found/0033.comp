//: grid 1 1 1
//: buffer 0 size 396
//: buffer 1 size 660
//: buffer 2 size 132
//: buffer 3 size 1
//: buffer 4 size 20
#version 450
layout(local_size_x = 3, local_size_y = 1, local_size_z = 11) in;
struct S1 { float m0; };
struct S2 { uint m0; vec2 m1; float m2; float m3; };
layout(std140, row_major, binding = 4) uniform Given { mat2 c4; mat4x2 c5; uint c6; };
const bvec2 g3 = bvec2(true, false);
struct Row { uvec4 u; ivec4 i; vec4 f; uvec3 v7; uint v13; uint v14; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared uint groupMinU;
layout(std430, binding = 3) coherent buffer Totals { uint groupMinUs; };
shared uvec3 x8[33];
void main() {
  uint lane = gl_LocalInvocationIndex, at = (gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex);
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  if (lane == 0u) { groupMinU = uint(1000); }
  barrier();
  x8[lane] = uvec3(65535u, 4u, 150683397u);
  groupMemoryBarrier(); barrier();
  uvec3 v7 = x8[(lane + 29u) % 33u];
  barrier();
  atomicMin(groupMinU, (true ? (lane - (gl_WorkGroupID.z * gl_WorkGroupID.x)) : (mix(work[(gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex) * 4u + 0u], work[(gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex) * 4u + 1u], g3.y) / (g3.y ? 6u : v7.y))));
  switch (((7u >> (g3.y ? 6u : 6u)) >> (v7[(7u % 3u)] + (u.w & 1u))) & 3u) {
  case 2u: {
    int n10 = 0;
    for (uint i9 = 2u; i9 < 4294967290u; i9 -= 4u) {
      if (i9 <= 3u || ++n10 > 8) break;
      if (i9 <= 4294967289u) continue;
      if (any(bvec3(true))) {
        u.xyz--;
      }
      i <<= 0;
    }
    int i11 = 0;
    while (i11 < 2) {
      i11++;
      mat4x2 v12 = mat4x2((((false ^^ g3.y) ? outerProduct(f.yw, vec4((-1000.25))) : c5) * mat2x4(vec4(0.0), vec4(0.0))));
      v12[0u] *= v12[1u];
    }
  }
  break;
  default: {
    work[(gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex) * 4u + 2u] = at;
  }
  break;
  case 1u: {
    f = c5[0u].xyxy;
  }
  }
  i.z = 7;
  gridBarrier();
  uint v13 = work[work[(gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex) * 4u + 3u] % 132u];
  gridBarrier();
  groupMemoryBarrier(); barrier();
  uint v14 = work[(gl_WorkGroupID.x * 33u + (lane + 5u) % 33u) * 4u + 1u];
  groupMemoryBarrier(); barrier();
  work[(gl_WorkGroupID.x * 33u + gl_LocalInvocationIndex) * 4u + 0u] = v13;
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v7 = v7;
  rows[at].v13 = v13;
  rows[at].v14 = v14;
  barrier();
  if (lane == 0u) atomicMin(groupMinUs, groupMinU);
}
