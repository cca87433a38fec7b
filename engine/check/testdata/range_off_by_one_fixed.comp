// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint sum = 0u;
  for (uint i = 0u; i < 64u; i++) {
    sum += v[i];
  }
  v[0] = sum;
}
