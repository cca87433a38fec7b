// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint x;
  for (uint i = 0u; i < v[9]; i++) {
    x = i;
  }
  v[0] = x; // finds: uninitialized
}
