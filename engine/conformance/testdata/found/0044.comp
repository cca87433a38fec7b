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
layout(std430, binding = 1) buffer B { A g; };
void main() {
  uint i = source[2], x = source[0], h = source[4];
  g.a[0] = source[5];
  g.a[1] = source[6];
  g.b = source[7];
  barrier();
  work[0] = g.a[0];
  g.a[i] -= x;
  A c = g;
  work[1] = c.a[0];
  g.a[i] += 5u;
  c = g;
  work[2] = c.a[0];
  work[3] = c.a[1];
  work[4] = g.b;
}
