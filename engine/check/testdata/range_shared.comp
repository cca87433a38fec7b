// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint s[4];
void main() {
  s[gl_LocalInvocationIndex + 1u] = 7u; // finds: out-of-range
}
