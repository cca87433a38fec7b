// grid: 1
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  float x = float(gl_LocalInvocationIndex);
  vec3 direction = normalize(vec3(x, 0.0, 2.0 * x)); // finds: nan
  f[gl_LocalInvocationIndex] = direction.x;
}
