// grid: 4
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint lock; uint sum; uint v[]; };
void main() {
  bool done = false;
  for (uint i = 0u; i < 5000u && !done; i++) {
    if (atomicCompSwap(lock, 0u, 1u) == 0u) {
      sum += gl_WorkGroupID.x + 1u;
      memoryBarrierBuffer();
      atomicExchange(lock, 0u);
      done = true;
    }
  }
}
