// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  int i = int(gl_LocalInvocationIndex);
  int back = -3;
  v[i + back + 3] = 1u;
  v[8 + i * back + 9] = 1u;
}
