// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  float x = log2(float(gl_LocalInvocationIndex) - 2.0); // finds: nan
  v[gl_LocalInvocationIndex] = floatBitsToUint(x);
}
