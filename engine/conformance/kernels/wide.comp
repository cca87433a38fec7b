//: grid 2 1 1
//: buffer 0 random 256 seed 9
//: buffer 1 size 8192
//: buffer 2 size 1024
//: buffer 3 size 1024
//: buffer 4 random 64 seed 10
#version 450
// Doubles and integers of 64 bits in structures, arrays, shared variables and blocks of every layout, as parameters, and with indexes that are
// not constant.
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
struct Wide { float f; dvec3 v; int64_t n; bool b; dmat2x3 m; u64vec2 w[2]; double d; };
struct Tall { float f; dvec3 v; int64_t n; bool b; dmat2x3 m; u64vec2 w[2]; double d; };
layout(std430, binding = 0) readonly buffer In { uvec2 words[]; };
layout(std430, binding = 1) writeonly buffer Out { uint64_t results[]; };
layout(std430, row_major, binding = 2) buffer Rows { Wide a; dmat3 r; layout(column_major) dmat4x2 c; i64vec3 p[2]; double s[3]; };
layout(std140, binding = 3) buffer Columns { Tall a; dmat3 r; i64vec3 p[2]; double s[3]; } cols;
layout(std140, binding = 4) uniform U { dvec2 scale; layout(row_major) dmat2 turn; uint64_t mask; } u;
const double fixedD[3] = double[](1.5lf, -0.0lf, 1e-310lf);
const i64vec2 fixedL = i64vec2(-9223372036854775807l - 1l, 0x7FFFFFFFFFl) + int64_t(3);
shared double meeting[4];
shared u64vec3 counts[2];
uint at = gl_GlobalInvocationID.x * 128u;
void put(uint64_t n) { results[at++] = n; }
void put(int64_t n) { put(uint64_t(n)); }
void put(double d) { put(doubleBitsToUint64(d)); }
void put(dvec2 v) { put(v.x); put(v.y); }
void put(dvec3 v) { put(v.xy); put(v.z); }
void put(i64vec3 v) { for (int i = 0; i < v.length(); i++) put(v[i]); }
double near(uint i) { uvec2 w = words[i % 128u]; return packDouble2x32(uvec2(w.x, w.y & 0x803FFFFFu | 0x3FC00000u)); }
int64_t whole(uint i) { return packInt2x32(ivec2(words[i % 128u])); }
void split(double d, out int whole, inout dvec2 rest, out double copied) { whole = int(d * 100.0); rest.y += fract(d); copied = rest.x; }
int64_t collatz(int64_t n) { int64_t steps = 0l; while (n != 1l && steps < 200l) { n = (n & 1l) == 0l ? n / 2l : 3l * n + 1l; steps++; } return steps; }
Wide make(uint o) {
  Wide x;
  x.f = float(near(o)); x.v = dvec3(near(o), near(o + 1u), 3); x.n = whole(o); x.b = near(o) > 0.0; x.d = near(o + 3u);
  x.m = dmat2x3(x.v, x.v.zyx * 2.0); x.w[0] = u64vec2(x.n); x.w[1] = u64vec2(7u, uint64_t(o));
  return x;
}
void main() {
  uint l = gl_LocalInvocationIndex, o = gl_GlobalInvocationID.x * 9u;
  Wide x = make(o), y = make(o + 1u);
  put(x.v * y.d); put(x.v.zx + u.scale); put(u.turn * x.v.xy); put(x.m * dvec2(1, y.d)); put(x.m[l & 1u][l % 3u]);
  put(int64_t(x == y)); put(int64_t(x == x)); put(x.n ^ int64_t(u.mask)); put(x.w[l & 1u].y); put(x.w[1][l & 1u] << l);
  put(fixedD[l % 3u]); put(fixedL.x); put(fixedL[l & 1u]);
  x.v[l % 3u] += 1.0; x.v.zy = y.v.xy; x.m[1].y *= 3.0; x.w[l & 1u].x |= 255ul; x.n--; put(x.v); put(x.m[1]); put(x.w[0].x); put(x.n++ - ++x.n);
  float narrowed; dvec2 rest = dvec2(1, 2); double part; double both;
  int cut; split(x.d, cut, rest, both); put(rest); put(double(cut)); put(both);
  put(l < 2u ? x.d : y.d); put(l > 1u ? x.n : y.n); put(mix(x.v, y.v, bvec3(true, false, l == 1u)));
  put(collatz(int64_t(o) + 27l)); put(double(float(x.d)) - x.d); put(int64_t(float(x.n))); put(dot(x.v, y.v)); put(length(x.v)); put(normalize(y.v)); put(cross(x.v, y.v));
  put(x.d / y.d - fma(x.d, y.d, -x.d * y.d)); put(sqrt(abs(x.d))); put(roundEven(x.d * 10.0)); put(uint64_t(1u) << 63u - l); put(whole(o) / (int64_t(l) - 1l)); put(whole(o) % 1000003l);
  meeting[l] = x.d; if (l < 2u) counts[l] = u64vec3(l, o, 5u);
  memoryBarrierShared();
  barrier();
  put(meeting[l ^ 1u]); put(counts[l & 1u][l % 3u]); put(counts[1].y);
  switch (int(x.n & 3l)) { case 0: put(1.0lf); break; case 2: put(2.0lf); default: put(3.0lf); }
  if (gl_GlobalInvocationID.x != 0u) return;
  a = x; r = dmat3(x.m); c = dmat4x2(2.5); p[1] = i64vec3(x.n, 2, -3); s[2] = x.d; cols.a = Tall(y.f, y.v, y.n, y.b, y.m, y.w, y.d); cols.r = r * 2.0; cols.p = p; cols.s[1] = -x.d;
  r[2][1] = 9.0; r[1].zx = dvec2(8, 7); c[3].y -= 1.5; p[0].zx = p[1].xy; cols.a.m[1][2] += 0.5; cols.a.w[1].y++; cols.r[0] = r[1]; s[0] = determinant(r);
  put(r * dvec3(1, 2, 3)); put(c[2].x); put(p[0]); put(a.m[1]); put(inverse(cols.r)[1]); put(a == x ? 1.0 : 0.0);
}
