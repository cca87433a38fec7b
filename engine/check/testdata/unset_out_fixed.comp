// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void fill(uint n, out uint x) {
  x = 0u;
  if (n > 3u) {
    x = 1u;
  }
}
void main() {
  uint x = 7u;
  fill(v[0], x);
  v[1] = x;
}
