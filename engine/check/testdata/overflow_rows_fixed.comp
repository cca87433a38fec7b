// grid: 1
#version 450
layout(local_size_x = 2, local_size_y = 2) in;
layout(std430, binding = 0) buffer Data { uint pitch; uint v[]; };
void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  uint pitch = 8u;
  v[at.y * 2u * pitch + at.x] = at.x;
}
