// grid: 4
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  atomicOr(v[8u + i], i * i);
  memoryBarrierBuffer();
  atomicAdd(v[0], 1u);
  if (v[0] == gl_NumWorkGroups.x) { // finds: unused-atomic
    atomicMax(v[1], i);
  }
}
