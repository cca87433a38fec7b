// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uint block = i + 0x4000000u;
  v[(block << 6) + i] = i; // finds: index-overflow
}
