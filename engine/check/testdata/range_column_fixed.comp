// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { mat3 m; float f[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  f[i] = i < 3u ? m[i].y : 0.0;
}
