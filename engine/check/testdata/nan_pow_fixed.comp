// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { float f[]; };
void main() {
  float x = float(gl_LocalInvocationIndex) - 2.0;
  f[gl_LocalInvocationIndex] = pow(abs(x) + 1.0, 0.5);
}
