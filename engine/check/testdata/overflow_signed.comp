// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  int plane = 65536;
  v[i * plane * plane + i] = 1u; // finds: index-overflow
}
