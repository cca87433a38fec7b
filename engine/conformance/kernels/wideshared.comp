//: grid 2 1 1
//: buffer 0 size 4096
//: buffer 1 = 0x3ff80000 0x1 0x40090000 0x9abcdef 0x3fe00000 0x7 0xbff00000 0x80000001 0x40590000 0x3 0xc0000000 0xffff 0x3fb99999 0x5
// Vectors of 64-bit components in shared memory: components, swizzles, copies, parts of structures and matrices, and out parameters, with constant
// and other indices, in branches too.
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Results { uint64_t results[]; };
layout(std430, binding = 1) readonly buffer Words { uint words[]; };
struct Mixed { bool b; u64vec3 n; float f; dvec2 d[2]; int i; dmat2x3 m; double last; };
shared Mixed mixed[4];
shared dvec4 rows[2][4];
shared dmat3x2 turn;
shared i64vec2 pair[4];
shared dvec3 alone;
uint at = gl_GlobalInvocationID.x * 64u;
void put(uint64_t n) { results[at++] = n; }
void put(double d) { put(doubleBitsToUint64(d)); }
void put(dvec2 v) { put(v.x); put(v.y); }
void put(dvec3 v) { put(v.xy); put(v.z); }
void put(dvec4 v) { put(v.xy); put(v.zw); }
void put(u64vec3 v) { put(v.x); put(v.y); put(v.z); }
double near(uint i) { return packDouble2x32(uvec2(words[i % 14u], words[(i & 6u)])); }
void split(in dvec3 whole, out double first, inout dvec2 others) { first = whole.x + others.y; others = whole.zy; }
bool moved(inout i64vec2 p) { p = p.yx - 3l; return p.x < p.y; }
void main() {
  uint l = gl_LocalInvocationIndex, g = gl_WorkGroupID.x, three = words[l + g] % 3u, one = words[l + 4u] & 1u;
  int j = int(three);
  mixed[l] = Mixed(one == 1u, u64vec3(words[l], 1ul << 40, words[l + 3u]), float(l) * 0.5, dvec2[2](dvec2(near(l), -1.5lf), dvec2(near(l + 2u))), -int(l), dmat2x3(near(l), 2, 3, 4, near(l + 4u), 6), 1e300lf);
  for (uint i = 0u; i < 2u; i++) rows[i][l] = dvec4(near(l), near(l + 2u), double(i), -7.25lf);
  pair[l] = i64vec2(-int64_t(words[l]), int64_t(words[l + 1u]) << 33);
  if (l == 0u) { turn = dmat3x2(1.0lf); alone = dvec3(0.1lf, near(2u), -0.0lf); }
  barrier();
  uint o = l ^ 1u;
  Mixed copy = mixed[o];
  put(uint64_t(copy.b)); put(copy.n); put(double(copy.f)); put(copy.d[1]); put(copy.m[1]); put(copy.last); put(uint64_t(mixed[2].i));
  put(mixed[3].n); put(mixed[3].n[three]); put(mixed[o].d[one][1u - one]); put(mixed[1].m[one]); put(mixed[o].m[one][j]);
  put(rows[1][o]); put(rows[one][2].wzx); put(rows[0][3][three]); put(rows[one][o].zw[one]); put(turn[three]); put(turn[2][one]); put(turn * alone); put(alone.zx); put(alone[j]);
  dvec4 whole[4] = rows[1]; put(whole[2]); put(uint64_t(rows[0] == rows[1])); put(uint64_t(mixed[l] == copy));
  barrier();
  if (three == 0u) { mixed[l].n.zx += 9ul; mixed[l].d[one].y *= 3.0lf; } else if (three == 1u) { mixed[l].n[j]--; mixed[l].m[one][three] = 8.5lf; mixed[l].b = !mixed[l].b; } else { mixed[l].n = mixed[l].n.yzx; mixed[l].last = near(l); mixed[l].i <<= 2; }
  split(mixed[l].m[one], mixed[l].last, mixed[l].d[1u - one]);
  bool b = moved(pair[l]);
  rows[one][l].wy = rows[one][l].xw; rows[0][l][j] += 1.0lf; double before = rows[1][l].z++;
  if (l == 3u) { turn[one] *= 2.0lf; turn[2].y = before; alone.yz = alone.xx; turn = -turn; }
  barrier();
  put(mixed[o].n); put(mixed[o].d[0]); put(mixed[o].last + double(mixed[o].i)); put(uint64_t(mixed[o].b) + uint64_t(b)); put(uint64_t(pair[o].x ^ pair[2][one]));
  put(rows[0][o].wx); put(rows[1][o][j]); put(turn[three].y); put(alone.z);
}
