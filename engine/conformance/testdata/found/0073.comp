//: grid 1 1 1
//: buffer 0 size 64
//: buffer 1 = 0x3c003e00 0x40004200 0x0 0x1
// An index of a swizzle in a block with members of 16 bits was outside the language.
#version 450
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Results { float results[]; };
layout(std430, binding = 1) buffer Halves { f16vec4 halves[1]; uint words[2]; };
void main() {
  uint l = gl_LocalInvocationIndex, i = words[l], a = l * 8u;
  f16vec4 whole = halves[0];
  results[a] = float(halves[0].wz[i]);
  results[a + 1u] = float(halves[0].yyx[i + 1u]);
  results[a + 2u] = float(whole.wz[i]);
  barrier();
  if (l == 1u) { halves[0].zx[i] = float16_t(8.0); halves[0].wy[1u] = float16_t(9.0); }
  barrier();
  for (uint k = 0u; k < 4u; k++) results[a + 3u + k] = float(halves[0][k]);
}
