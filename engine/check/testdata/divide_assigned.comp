// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
uint share(uint total, uint parts) {
  total /= parts; // finds: divide-by-zero
  return total;
}
void main() {
  uint i = gl_LocalInvocationIndex;
  v[i] = share(100u, i & 2u);
}
