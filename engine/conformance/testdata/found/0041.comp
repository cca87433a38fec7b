//: grid 1 1 1
//: buffer 0 size 48
//: buffer 1 size 80
//: buffer 2 size 16
//: buffer 4 size 16
#version 450
layout(local_size_x = 4) in;
struct S1 { uvec4 m0; };
layout(std140, column_major, binding = 4) uniform Given { int c4; int[2] c5; int c6; };
S1 g2 = S1(uvec4(4294967295u));
vec3 g3 = vec3(uintBitsToFloat(0x486f4102u));
struct Row { uvec4 u; ivec4 i; vec4 f; mat2 v14; int n16; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void f7(in ivec2 p8, out mat2 p9) {
  p9 = mat2(vec2(uintBitsToFloat(0xe84e5823u)), vec2(uintBitsToFloat(0x74904369u)));
  g3.zxy = (intBitsToFloat(c4) / p9[(1u % 2u)].xyy);
  switch (((c6 | (c4 % (-1364736585))) & c4) & 3) {
  case 1: {
    p8 = ivec2(c5[0u]);
    g2.m0 += uvec4(1u, 3u, 0u, 3980635559u);
  }
  break;
  default: {
    g3.xzy -= g3.z;
    g3 = p9[0u].yyx;
    p9[1u].x = (-2.5);
    g2.m0 -= uvec4(work[gl_GlobalInvocationID.x * 4u + 1u]);
  }
  case 2: {
  }
  }
}
float f10(in bool p11, in S1 p12) {
  for (int i13 = 0; i13 < 3; i13++) {
    if ((!all(bvec2(p11)))) {
      g3.xy /= (vec2(bvec2(false)) - acos(vec2(1.1754944e-38)));
      g2 = S1(uvec4(5u, 7u, 5u, 7u));
    }
  }
  p11 = p11;
  return g3.x;
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  mat2 v14 = mat2(vec2(1.6777216e+07, uintBitsToFloat(0x65a1af61u)), vec2(1.6777216e+07, uintBitsToFloat(0x40a7ac4cu)));
  f7(ivec2(i.xw), v14);
  int n16 = 0;
  for (int i15 = int(0u); i15 == int(2u); i15++) {
    if (i15 == int(3u) || ++n16 > 4) break;
    if (false) { if (i15 > int(4u)) break; }
    g2.m0.yxw = uvec3(greaterThanEqual((gl_WorkGroupID & uvec3(bvec3(true, false, true))), ((uvec3(5u, 250843198u, 0u) >> gl_WorkGroupID) >> (g2.m0.yyy + uvec3(4294967295u)))));
  }
  v14[0u] = sign(vec2(uintBitsToFloat(0x50aa050du), 1e-06));
  f += f;
  for (int i17 = 0; i17 < 4; i17++) {
    work[gl_GlobalInvocationID.x * 4u + 1u] %= 785227787u;
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v14 = v14;
  rows[at].n16 = n16;
}
