//: grid 2 1 1
//: buffer 0 random 256 seed 19
//: buffer 1 size 8192
//: buffer 2 size 1024
#version 450
// Elements and components of 64 bits of variables, with indexes that are not constant: read, written, changed and passed to functions.
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
struct Pair { uint a[2]; int64_t n; dvec3 v; };
layout(std430, binding = 0) readonly buffer In { uvec2 words[]; };
layout(std430, binding = 1) writeonly buffer Out { uint64_t results[]; };
layout(std430, binding = 2) buffer Rest { dvec3 moved[8]; dmat2 turned[8]; };
const int64_t fixedL[3] = int64_t[](81985529216486895l, -3l, 9223372034707292163l);
const dvec2 fixedD[2] = dvec2[](dvec2(1e-310lf, -0.0lf), dvec2(0.1lf, 3e300lf));
double kept[3];
uint64_t counted[2][3];
Pair pairs[2];
shared dvec4 meeting[4];
uint at = gl_GlobalInvocationID.x * 128u;
void put(uint64_t n) { results[at++] = n; }
void put(int64_t n) { put(uint64_t(n)); }
void put(double d) { put(doubleBitsToUint64(d)); }
void put(dvec2 v) { put(v.x); put(v.y); }
void put(dvec3 v) { put(v.xy); put(v.z); }
double near(uint i) { uvec2 w = words[i % 128u]; return packDouble2x32(uvec2(w.x, w.y & 0x803FFFFFu | 0x3FC00000u)); }
int64_t whole(uint i) { return packInt2x32(ivec2(words[i % 128u])); }
void swap(inout double a, inout double b) { double c = a; a = b; b = c; kept[2] += 1.0; }
int64_t next(inout int64_t n, out dvec3 v) { n = n * 6364136223846793005l + 1442695040888963407l; v = dvec3(n >> 40, n & 255l, -1.5lf); return n >> 33; }
double total(double list[3], int first) { double sum = 0.0lf; for (int i = first; i < 3; i++) sum += list[i]; return sum; }
Pair made(uint o) { return Pair(uint[2](o, o + 1u), whole(o), dvec3(near(o), near(o + 1u), 0.3lf)); }
void main() {
  uint l = gl_LocalInvocationIndex, o = gl_GlobalInvocationID.x * 9u, one = words[o % 128u].x & 1u, three = words[o % 128u].y % 3u;
  int j = int(three);
  for (int i = 0; i < 3; i++) { kept[i] = near(o + uint(i)); counted[i & 1][i] = uint64_t(whole(o + uint(i))); }
  put(kept[three]); kept[j] = near(o + 5u); put(kept[0]); put(kept[1]); put(kept[j]); put(total(kept, j)); put(kept[three] *= 1.1lf); put(kept[three]++); put(--kept[(three + 1u) % 3u]);
  put(counted[one][three]); counted[one][three] ^= 0xFFFFFFFF00000001ul; put(counted[one][three]++); put(counted[one][three]); put(counted[1u - one][three] / (counted[one][j] | 1ul)); counted[one] = counted[1u - one]; put(counted[0][1]); counted[one][j] <<= three; put(counted[one][j]);
  put(fixedL[three]); put(fixedD[one]); put(fixedD[one][1u - one]);
  int64_t own[4]; own[l] = whole(o + 7u); own[3u - l] -= 5l; for (int i = 0; i < 4; i++) put(own[i]); own[l & 2u] = own[l | 1u]--; put(own[l & 2u]);
  swap(kept[three], kept[(three + 1u) % 3u]); put(kept[0]); put(kept[1]); put(kept[2]); swap(kept[0], kept[three]); put(kept[three]);
  pairs[one] = made(o); pairs[1u - one].a[three & 1u] = 9u; pairs[one].v[three] += 2.5lf; pairs[one].v.zx = pairs[one].v.xy; put(int64_t(pairs[one].a[one])); put(pairs[one].n); put(pairs[0].v); put(uint64_t(pairs[1].a[one]));
  put(next(pairs[one].n, pairs[1u - one].v)); put(pairs[one].n); put(pairs[1u - one].v); put(next(own[three], pairs[one].v)); put(int64_t(pairs[0] == pairs[1])); put(int64_t(pairs[one] == pairs[one]));
  dmat3x2 m = dmat3x2(dvec2(near(o)), dvec2(near(o + 1u), 0.7lf), dvec2(-1.25lf, 1e-200lf)); m[three][one] = 4.75lf; m[(three + 1u) % 3u] *= 3.0lf; put(m[three]); put(m[2]); put(m[j].y); dmat3x2 copy = m; put(copy[(three + 2u) % 3u]);
  dmat2 turns[2]; turns[one] = dmat2(m[0], m[1]); turns[1u - one] = turns[one] * 2.0lf; turns[one][one].x = -8.5lf; put(turns[one] * dvec2(1, 2)); put(determinant(turns[1u - one])); put(turns[0][1]);
  dvec2 parts; int power; parts[one] = modf(near(o + 3u) * 9.0lf, kept[three]); parts[1u - one] = frexp(kept[three] + 0.1lf, power); put(parts); put(int64_t(power)); put(kept[three]);
  double many[33]; many[words[o % 128u].x % 33u] = near(o); put(many[three]);
  meeting[l][three] = near(o); meeting[l][j] *= 2.0lf; barrier(); put(meeting[l ^ 1u][three]);
  uint row = gl_GlobalInvocationID.x; moved[row][three] = near(o + 2u); put(moved[row][j] -= 0.5lf); moved[row][one]++; turned[row][one][1u - one] = near(o); put(moved[row]); put(turned[row][one]); put(own[clamp(j, 0, 2)]);
}
