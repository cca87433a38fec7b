//: grid 1 1 1
//: buffer 0 = 0x11 0x22 0x0 0x1 0x0 0x3e8 0x3e9 0x3ea 0x3eb 0x3ec
//: buffer 1 size 64
//: buffer 2 size 64
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
struct S { uint a; uint b; };
struct A { uint a[2]; uint b; };
struct V { uvec2 v; uint b; };
struct M { mat2 m; float b; };
void sub(inout uint v, uint x) { v -= x; }
void sub(inout float v, float x) { v -= x; }
layout(std430, binding = 1) buffer B { uint g[2][2]; };
void main() {
  uint i = source[2], x = source[0], h = source[4];
  g[0][0] = source[5];
  g[0][1] = source[6];
  g[1][0] = source[7];
  g[1][1] = source[8];
  barrier();
  work[0] = g[0][0];
  atomicAdd(g[i][0], x);
  work[1] = g[0][0];
  atomicAdd(g[i][0], 7u);
  work[2] = g[0][0];
  atomicExchange(g[0][0], x);
  work[3] = g[i][0];
  work[4] = g[1][1];
}
