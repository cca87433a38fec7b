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
layout(std430, binding = 1) buffer B { S g[2]; };
void main() {
  uint i = source[2], x = source[0], h = source[4];
  g[0].a = source[5];
  g[0].b = source[6];
  g[1].a = source[7];
  g[1].b = source[8];
  barrier();
  g[i].a++;
  work[0] = g[0].a;
  g[i].a += 5u;
  work[1] = g[0].a;
  g[i].a = g[0].a - x;
  work[2] = g[0].a;
  g[0].a += 5u;
  work[3] = g[i].a;
  g[0].a++;
  work[5] = g[0].a;
  work[4] = g[1].b;
}
