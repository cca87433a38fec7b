// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = 0u;
  while (v[0] == 0u && i < 9u) {
    i++;
  }
  v[1] = i;
}
