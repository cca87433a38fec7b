// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
uint hash(uint x) {
  return x * 0x9E3779B1u;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint slot = hash(i) >> 28; // a hash is meant to wrap around
  v[16u * i + (slot & 15u)] = i;
  v[i + 0xFFFFFFFFu - i + 1u + 15u * i] += 0u * slot; // back in range
}
