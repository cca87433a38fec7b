// grid: 1
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uvec4 a;
  a.x = 1u;
  a.z = 2u;
  uvec4 b = a;
  v[0] = b.x + b.z;
}
