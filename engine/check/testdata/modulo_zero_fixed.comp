// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  v[1] = v[0] == 0u ? 0u : 100u % (v[0] | 1u);
}
