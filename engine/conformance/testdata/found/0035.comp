//: grid 3 1 1
//: buffer 0 size 108
//: buffer 1 size 216
//: buffer 2 size 36
#version 450
layout(local_size_x = 3) in;
const float g1 = 1.6777216e+07;
struct Row { uvec4 u; ivec4 i; vec4 f; mat2x3 v2; float v3; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
shared float x4[3];
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  mat2x3 v2 = mat2x3(f.zxw, ((vec3(g1) / vec3(0.0)) * exp(f.yxw)));
  i ^= ivec4((i.z + i.zwz), max(i[2u], 4));
  work[gl_GlobalInvocationID.x * 4u + 1u] = (16777215u | (uint((i.w == i[2u])) - ((u.w / at) - 0u)));
  if ((!(true && ((!false) != false)))) {
  } else {
    i = i;
  }
  x4[lane] = 0.0;
  memoryBarrier(); barrier();
  float v3 = x4[(lane + 0u) % 3u];
  barrier();
  v2[1u].zy = vec2(v3);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v2 = v2;
  rows[at].v3 = v3;
}
