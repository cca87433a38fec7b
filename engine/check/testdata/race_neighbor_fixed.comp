// grid: 2
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  v[i + 32u] = v[i] + 1u;
}
