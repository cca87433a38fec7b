// grid: 1
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { int v[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  ivec2 parts = ivec2(12, 30) / ivec2(3, i); // finds: divide-by-zero
  v[i] = parts.x + parts.y;
}
