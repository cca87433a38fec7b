// grid: 3
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  if (gl_WorkGroupID.x == 2u) {
    v[0] = 0u; // finds: data-race
  }
  atomicAdd(v[0], 1u);
}
