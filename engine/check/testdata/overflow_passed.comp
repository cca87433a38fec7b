// grid: 1
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
uint place(uint row, uint column, uint width) {
  return row * width + column;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  uint at = place(i * 3u, i, 0x80000000u);
  v[at + 0x80000000u * i] = i; // finds: index-overflow
}
