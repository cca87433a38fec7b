// grid: 3
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint done; uint sum; uint v[]; };
void main() {
  uint i = gl_WorkGroupID.x;
  v[i] = i + 1u;
  memoryBarrierBuffer();
  if (atomicAdd(done, 1u) == 2u) {
    memoryBarrierBuffer();
    sum = v[0] + v[1];
  }
}
