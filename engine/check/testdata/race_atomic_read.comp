// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  atomicAdd(v[0], 1u);
  v[1u + gl_LocalInvocationIndex] = v[0]; // finds: unused-atomic
}
