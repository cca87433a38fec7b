#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint total; uint v[]; };

void main() {
  uint i = gl_LocalInvocationIndex;
  uint far;
  for (uint k = 0u; k < 2u; k++) {
    v[i] = 1u << (31u + k * i);
  }
  total = i;
  if (i == 3u) {
    v[4] = far;
  }
}
