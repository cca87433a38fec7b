//: grid 1 1 1
//: buffer 0 = 0x1 0x2 0x0 0x1
//: buffer 1 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7
//: buffer 2 size 64
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 2) buffer R { uint r[]; };
struct P { uint a; uint b; };
layout(std430, binding = 1) buffer Cells { P cells[]; };

void main() {
  P p = P(0u, 1u);
  cells[p.b].b = 7u;
}
