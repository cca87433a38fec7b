// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  if (gl_LocalInvocationIndex == 0u) {
    v[0] = gl_LocalInvocationIndex;
  }
}
