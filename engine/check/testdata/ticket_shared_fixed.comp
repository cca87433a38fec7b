// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint n;
void main() {
  if (gl_LocalInvocationIndex == 0u) {
    n = 0u;
  }
  barrier();
  atomicAdd(n, 1u);
  barrier();
  if (gl_LocalInvocationIndex == 0u) {
    v[n & 7u] = 1u;
  }
}
