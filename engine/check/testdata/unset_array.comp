// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint a[4];
  for (uint i = 0u; i < 3u; i++) {
    a[i] = i;
  }
  v[0] = a[v[1] + 3u]; // finds: uninitialized
}
