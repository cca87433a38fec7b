// grid: 4
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) coherent buffer Data { uint v[]; };
void main() {
  atomicAdd(v[0], 1u);
  v[8u + v[0]] = 1u; // finds: unused-atomic
}
