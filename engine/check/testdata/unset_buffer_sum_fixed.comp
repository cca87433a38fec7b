// grid: 1
// undefined: 0
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  if (gl_LocalInvocationIndex == 0u) {
    v[0] = 0u;
  }
  memoryBarrierBuffer();
  barrier();
  atomicAdd(v[0], gl_GlobalInvocationID.x);
}
