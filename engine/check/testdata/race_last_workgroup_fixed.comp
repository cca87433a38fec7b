// grid: 4
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
shared bool last;
void main() {
  uint i = gl_WorkGroupID.x;
  if (gl_LocalInvocationIndex == 0u) {
    v[8u + i] = i * i;
    memoryBarrierBuffer();
    last = atomicAdd(v[0], 1u) == gl_NumWorkGroups.x - 1u;
  }
  barrier();
  if (last && gl_LocalInvocationIndex == 0u) {
    uint sum = 0u;
    for (uint k = 0u; k < gl_NumWorkGroups.x; k++) {
      sum += v[8u + k];
    }
    v[1] = sum;
  }
}
