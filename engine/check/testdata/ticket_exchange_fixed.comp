// grid: 4
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) coherent buffer Data { uint head; uint next[]; };
void main() {
  uint i = gl_WorkGroupID.x + 1u;
  next[i] = atomicExchange(head, i);
}
