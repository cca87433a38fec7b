// grid: 1
// undefined: 0
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  v[i] += i; // finds: uninitialized
}
