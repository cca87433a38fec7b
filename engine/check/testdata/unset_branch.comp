// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint x;
  if (gl_LocalInvocationIndex > 1u) {
    x = 5u;
  }
  v[gl_LocalInvocationIndex] = x; // finds: uninitialized
}
