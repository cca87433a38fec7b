// grid: 2
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  if (gl_WorkGroupID.x == 0u) {
    v[1] = 7u;
    memoryBarrierBuffer();
    v[0] = 1u;
  } else if (v[0] == 1u) { // finds: data-race
    v[2] = v[1]; // finds: data-race
  }
}
