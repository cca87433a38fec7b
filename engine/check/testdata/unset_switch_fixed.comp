// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex, weight;
  switch (i) {
    case 0u: weight = 1u; break;
    case 1u: weight = 4u; break;
    case 2u: weight = 6u; break;
    default: weight = 0u; break;
  }
  v[i] = weight * 2u;
}
