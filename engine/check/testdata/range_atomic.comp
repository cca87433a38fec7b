// grid: 1
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  atomicAdd(v[gl_LocalInvocationIndex * 64u], 1u); // finds: out-of-range
}
