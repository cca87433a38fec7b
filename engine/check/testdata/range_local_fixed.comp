// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint a[4] = uint[](1u, 2u, 3u, 4u);
  v[0] = a[v[1] + 3u];
}
