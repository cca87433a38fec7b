// grid: 1
#version 450
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  uvec2 halves = uvec2(0xFFu) << uvec2(i, i * 8u);
  v[i] = halves.x | halves.y;
}
