//: grid 2 1 1
//: buffer 0 size 192
//: buffer 1 size 320
//: buffer 2 size 64
//: buffer 4 = 0x60cbbd71 0x1fbc85be 0xb7c21715 0xedb044d8
#version 450
layout(local_size_x = 2, local_size_y = 1, local_size_z = 4) in;
struct S1 { int m0; vec2 m1; uint m2; ivec3 m3; };
layout(std140, column_major, binding = 4) uniform Given { ivec4 c3; };
int g2 = 7;
struct Row { uvec4 u; ivec4 i; vec4 f; int v18; uint v19; mat2 v20; int i21; int n22; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
mat2 f4(inout int p5, in S1 p6, inout uint p7) {
  int n9 = 0;
  for (uint i8 = 7u; i8 > 18u; i8 += 5u) {
    if (++n9 > 3) break;
    if (i8 != 23u) continue;
    int v10 = ++g2;
    int n12 = 0;
    for (int i11 = int(5u); i11 == int(6u); i11++) {
      if (i11 < int(7u) || ++n12 > 8) break;
      switch (i11) { case int(6u): continue; default: n12 += 0; }
      work[(gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex) * 4u + 0u] = ((packUnorm2x16((- vec2(uintBitsToFloat(0x515bb557u), 0.1))) & p6.m2) / (p6.m2 + ((false ? i8 : work[(gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex) * 4u + ((p7 + p7) % 4u)]) * p7)));
    }
  }
  return mat2(vec2(255.0), vec2(2.0, (-3e+38)));
}
float f13(in float[5] p14, const in S1 p15) {
  for (int i16 = 0; i16 < 2 && ((~ c3) != (ivec4(g2) | ivec4(3))); i16++) {
    if (any(bvec3(false))) {
      p14 = p14;
      vec4 v17;
      v17 += ((v17 + fma(1.1754944e-38, p15.m1.y, p14[((work[(gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex) * 4u + 1u] % p15.m2) % 5u)])) * vec4(1.0, 0.0, 1.0, (-3e+38)));
    } else {
      p14 = p14;
      p14[4u] /= p14[2u];
    }
    p14[2u] = p15.m1.x;
  }
  p14[4u] = p14[2u];
  return 1.6777216e+07;
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = (gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex);
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  int v18 = int(0x80000000u);
  uint v19 = 3u;
  mat2 v20 = f4(v18, ((bvec2(true, true)).x ? S1(0, vec2(0.0), 0u, ivec3(0)) : S1(0, vec2(0.0), 0u, ivec3(0))), v19);
  int n22 = 0;
  int i21 = int(4294967295u);
  while (i21 > int(4294967293u)) {
    if (i21 >= int(4294967292u) || ++n22 > 1) break;
    i21--;
    if (i21 >= int(4294967294u)) continue;
    int n24 = 0;
    int i23 = int(2u);
    do {
      if (i23 <= int(2u) || ++n24 > 2) break;
      i23 = ~i23;
      if (work[(gl_WorkGroupID.x * 8u + gl_LocalInvocationIndex) * 4u + 0u] == 0u) break;
      f = ((((v19 >> gl_WorkGroupID.z) - uint(u.z)) != clamp(0u, uint(3u), uint(1000u))) ? f : (mat2x4(vec4(0.0), vec4(0.0)) * f.xy));
      g2 |= 1057920587;
      v20[1u] /= v20[0u];
    } while (i23 <= int(4294967292u));
    v18 = 255;
    v19 = gl_WorkGroupID.y;
  }
  v19 = 4u;
  v20[1u] += vec2(uintBitsToFloat(0x4450ba2du));
  v18 = i21;
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v18 = v18;
  rows[at].v19 = v19;
  rows[at].v20 = v20;
  rows[at].i21 = i21;
  rows[at].n22 = n22;
}
