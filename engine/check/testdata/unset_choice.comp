// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint x;
  bool even = gl_LocalInvocationIndex % 2u == 0u;
  if (even) x = 5u;
  v[gl_LocalInvocationIndex] = even ? 1u : x; // finds: uninitialized
}
