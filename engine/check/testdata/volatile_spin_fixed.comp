// grid: 2
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent volatile buffer Data { uint v[]; };
void main() {
  if (gl_WorkGroupID.x == 0u) {
    uint x = 0u;
    for (uint k = 0u; k < 9000u && x == 0u; k++) {
      x = v[0];
    }
    v[1] = x;
  } else {
    for (uint k = 0u; k < 100u; k++) {
      v[2] = k;
    }
    atomicExchange(v[0], 1u);
  }
}
