// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  v[gl_LocalInvocationIndex] = gl_LocalInvocationIndex;
  memoryBarrierBuffer();
  barrier();
  v[8u + gl_LocalInvocationIndex] = v[3u - gl_LocalInvocationIndex];
}
