//: grid 2 1 1
//: buffer 0 random 256 seed 3
//: buffer 1 size 512
#version 450
// Parameters of every mode, overloads, prototypes, copies of structures and arrays, and globals.
layout(local_size_x = 32) in;
struct Pair { uint a; ivec2 b[2]; };
layout(std430, binding = 0) readonly buffer In { uvec4 values[]; };
layout(std430, binding = 1) writeonly buffer Out { uvec4 results[]; };
uint calls = 100u;
const uint weights[3] = uint[3](3u, 5u, 7u);
uint scale(uint x);
int scale(int x) { calls++; return x * -2; }
uvec2 scale(const uvec2 x) { calls += 10u; return x * 4u; }
void split(in uint x, out uint low, inout uint high) { low = x & 0xFFFFu; high += x >> 16; x = 0u; }
Pair turn(Pair p, inout uint list[4]) {
  uint first = list[0];
  for (int i = 0; i < 3; i++) list[i] = list[i + 1];
  list[3] = first;
  p.b[1] = p.b[0].yx;
  p.a = ~p.a;
  return p;
}
uint unnamed(uint x, out uint, int[2][2]) { return x + 1u; }
uint scale(uint x) { calls += 1000u; return x * weights[x % 3u]; }
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 v = values[i];
  uint low, high = 1u;
  split(v.x, low, high);
  split(v.y, v.y, high);
  uint list[4] = uint[](v.x, v.y, v.z, v.w);
  Pair p = Pair(v.z, ivec2[2](ivec2(v.xy), ivec2(7)));
  Pair q = turn(p, list);
  split(v.z, list[i & 3u], v.w);
  int[][] square = int[][](int[](1, int(i)), int[](3, 4));
  int , image2DShadow = square[i & 1u][0] + square.length() + square[0].length();
  v.w += unnamed(uint(image2DShadow), low, square) + low;
  results[2u * i] = uvec4(low, high, scale(v.x), uint(scale(int(v.y)))) ^ uvec4(list[0], list[1], list[2], list[3]);
  results[2u * i + 1u] = uvec4(uvec2(q.b[1]) + scale(v.zw), q.a ^ p.a, calls + uint(p == q) + uint(q != p));
}
