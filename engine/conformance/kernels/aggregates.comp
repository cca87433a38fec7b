//: grid 2 1 1
//: buffer 0 random 512 seed 4
//: buffer 1 size 4096
#version 450
// Structures and arrays in buffers and variables: std430 offsets, dynamic indexes, whole copies.
layout(local_size_x = 32) in;
struct Inner { vec3 place; uint id; bool flag; };
struct Outer { uint head; Inner inner[2]; uvec3 tail; int grid[2][3]; };
layout(std430, binding = 0) readonly buffer In { uint values[]; } from;
layout(std430, binding = 1) buffer Out { uint count; Outer rows[]; } to;
void main() {
  uint i = gl_GlobalInvocationID.x, n = uint(from.values.length());
  Outer o;
  o.head = n + uint(to.rows.length()) * 1000u;
  for (uint k = 0u; k < 2u; k++) {
    o.inner[k].place = uintBitsToFloat(uvec3(from.values[i], from.values[i + k], k));
    o.inner[k].id = i * 2u + k;
    o.inner[k].flag = (from.values[(i + k) % n] & 1u) == 1u;
  }
  o.tail = uvec3(from.values[i * 3u], from.values[i * 3u + 1u], from.values[i * 3u + 2u]);
  for (int r = 0; r < 2; r++) for (int c = 0; c < 3; c++) o.grid[r][c] = int(from.values[i]) >> (3 * r + c);
  uint at = from.values[i] % 3u;
  o.tail[at]++;
  o.grid[at & 1u][at] = -1;
  o.inner[at & 1u] = Inner(vec3(1.0, 2.5, -4.0), 5u, true);
  if (i == 0u) to.count = uint(o.grid.length()) * 10u + uint(o.tail.length());
  to.rows[i].head = o.head;
  to.rows[i].inner[at & 1u].place = o.inner[at & 1u].place;
  to.rows[i].inner[1u - (at & 1u)].place.zx = o.inner[1u - (at & 1u)].place.xz;
  to.rows[i].inner[0].id = o.inner[0].id;
  to.rows[i].inner[1].id = o.inner[1].id;
  to.rows[i].inner[0].flag = o.inner[0].flag;
  to.rows[i].inner[1].flag = !o.inner[1].flag;
  to.rows[i].tail = o.tail;
  to.rows[i].tail[2u - at] += 1u;
  to.rows[i].grid = o.grid;
}
