// grid: 2
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  if (atomicAdd(v[0], 1u) == 0u) {
    v[1] = 7u;
    memoryBarrierBuffer();
    atomicExchange(v[2], 1u);
  } else if (atomicAdd(v[2], 0u) == 1u) {
    v[3] = v[1]; // finds: missing-coherent
  }
}
