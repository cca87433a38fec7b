// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s;
void main() {
  uint x;
  bool even = gl_LocalInvocationIndex % 2u == 0u;
  if (even) x = 5u;
  v[gl_LocalInvocationIndex] = even ? x : 1u;
  if (even && x == 5u) v[gl_LocalInvocationIndex] += gl_LocalInvocationIndex > 9u ? s : 1u;
}
