// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint total;
void main() {
  if (gl_LocalInvocationIndex == 0u) {
    total = 0u;
  }
  barrier();
  atomicAdd(total, gl_LocalInvocationIndex);
  barrier();
  v[gl_LocalInvocationIndex] = total;
}
