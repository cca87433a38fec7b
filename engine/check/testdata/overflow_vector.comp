// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec2 at = uvec2(i, i * 2u) * uvec2(1u, 0x80000000u);
  v[at.x + at.y] = i; // finds: index-overflow
}
