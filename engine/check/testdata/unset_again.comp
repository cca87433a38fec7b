// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint sum = 0u;
  for (uint i = 0u; i < 3u; i++) {
    uint x;
    if (i == 0u) {
      x = 4u;
    }
    sum += x; // finds: uninitialized
  }
  v[0] = sum;
}
