// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent buffer Data { int v[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  int left = v[max(i - 1, 0)];
  memoryBarrierBuffer();
  barrier();
  v[i] = left;
}
