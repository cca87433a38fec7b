// grid: 1
#version 450
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
shared uint tile[4][2];
void main() {
  uvec2 at = gl_LocalInvocationID.xy;
  tile[at.x][at.y] = at.x + at.y;
  barrier();
  uint other = tile[3u - at.x][at.y];
  tile[at.x][at.y] = other * 2u; // finds: data-race
  barrier();
  v[at.y * 4u + at.x] = tile[at.x][at.y];
}
