// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex + 3u;
  uint n = 0u;
  while (i > 0u) {
    n += i;
    i--;
  }
  v[gl_LocalInvocationIndex] = n;
}
