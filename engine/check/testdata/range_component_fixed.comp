// grid: 1
#version 450
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uvec4 powers = uvec4(1u, 10u, 100u, 1000u);
  uint i = gl_LocalInvocationIndex;
  v[i] = powers[i & 3u];
}
