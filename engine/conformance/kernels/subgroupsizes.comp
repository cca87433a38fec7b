//: grid 2 1 1
//: buffer 0 size 4096
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_subgroup_extended_types_float16 : require
// Functions of subgroups on values of 8, 16 and 64 bits.
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer A { float16_t h[32]; int8_t b[32]; uint16_t w[32]; double d[32]; int64_t l[32]; u64vec2 m[32]; f16vec3 v[32]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  h[i] = subgroupAdd(float16_t(float(i) * 0.3));
  b[i] = subgroupInclusiveMax(int8_t(i * 37u));
  w[i] = subgroupExclusiveAdd(uint16_t(i * 9999u));
  d[i] = subgroupMul(double(i) * 0.1lf + 1.0lf);
  l[i] = subgroupMin(int64_t(i) * -5000000000l);
  m[i] = subgroupShuffleXor(u64vec2(i, ~0ul), 1u);
  v[i] = subgroupShuffle(f16vec3(i, 1, 2), 15u - gl_LocalInvocationIndex) + f16vec3(subgroupAnd(uint8_t(254)));
}
