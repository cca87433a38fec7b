//: grid 1 1 1
//: buffer 0 = 0x1 0x2 0x0 0x1
//: buffer 1 size 256
//: buffer 2 size 64
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 2) buffer R { uint r[]; };
struct P { uint a; uint b; };
struct N { P p; uint c; };
struct A { uint a[2]; };
struct V { uvec2 v; };
struct B { bool a; bool b; };
struct I { int a; int b; };
layout(std430, binding = 1) buffer Cells { P cells[32]; };
P global = P(0u, 1u);
const P table[2] = P[2](P(0u, 2u), P(0u, 3u));
P made(uint x) { return P(0u, x); }
void at(P p) { cells[p.b].a += 16u; }
void main() {
  cells[global.b].a += 1u;
  cells[made(4u).b].a += 2u;
  at(P(0u, 5u));
  N n = N(P(0u, 6u), 7u);
  cells[n.p.b].b += 3u;
  cells[n.c].b += 4u;
  A a = A(uint[2](0u, 8u));
  cells[a.a[1]].a += 5u;
  V v = V(uvec2(0u, 9u));
  cells[v.v.y].b += 6u;
  B b = B(false, true);
  cells[uint(b.b) + 9u].a += 7u;
  I i = I(0, 11);
  cells[i.b].b += 8u;
  P zero;
  cells[zero.b + 12u].a += 9u;
  zero.b++;
  cells[zero.b + 12u].a += 10u;
  P looped = P(0u, 13u);
  for (uint k = 0u; k < 1u; k++) looped.b++;
  cells[looped.b].a += 11u;
  P list[2] = P[2](P(0u, 0u), P(0u, 15u));
  cells[list[1].b].a += 12u;
  uint one = 1u;
  cells[table[one].b].a += 13u;
  uint x = P(0u, 16u).b, y = global.b * 17u;
  cells[x].b += 14u;
  cells[y].b += 15u;
  r[0] = cells[global.b].a;
  r[1] = atomicAdd(cells[n.c].b, 20u);
  P whole = cells[n.p.b];
  r[2] = whole.b;
  cells[n.p.b + 12u] = P(1u, 2u);
}
