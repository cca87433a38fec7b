// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex + 3u;
  while (i >= 0u) { // finds: loop-budget
    v[i & 15u] = 1u - 1u;
    i--;
  }
}
