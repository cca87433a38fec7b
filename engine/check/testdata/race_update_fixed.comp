// grid: 4
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent volatile buffer Data { uint v[]; };
void main() {
  atomicAdd(v[1], gl_WorkGroupID.x * 2u + 1u);
}
