// grid: 2
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { coherent uint ready; uint result; coherent uint v[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  v[i] = 5u + i;
  memoryBarrierBuffer();
  if (atomicAdd(ready, 1u) == 1u) {
    result = v[0] + v[1];
  }
}
