//: grid 2 1 1
//: buffer 0 random 256 seed 11
//: buffer 1 size 4096
//: buffer 4 random 64 seed 12
#version 450
// Operators and functions on types of 8 and 16 bits, as parameters, in structures and shared variables, with indexes that are not constant.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
struct Small { int8_t a; u8vec3 b; float16_t f; bool t; f16mat2x3 m; i16vec2 w[3]; double d; uint8_t z; };
layout(std430, binding = 0) readonly buffer In { uvec2 words[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(std140, binding = 4) uniform U { f16vec2 scale; layout(row_major) f16mat2 turn; uint16_t mask; int8_t steps[3]; } u;
const float16_t fixedF[3] = float16_t[](1.5hf, -0.0hf, 6e-8hf);
const i8vec2 fixedB = i8vec2(-128, 100) + int8_t(60);
shared float16_t meeting[4];
shared u8vec3 counts[4];
uint at = gl_GlobalInvocationID.x * 128u;
void put(uint n) { results[at++] = n; }
void put(int n) { put(uint(n)); }
void put(int8_t n) { put(int(n)); }
void put(uint16_t n) { put(uint(n) ^ 0x10000u); }
void put(float16_t f) { put(float16BitsToUint16(f)); }
void put(f16vec2 v) { put(packFloat2x16(v)); }
void put(f16vec3 v) { put(v.xy); put(v.z); }
void put(f16vec4 v) { put(v.xw); put(v.zy); }
void put(i8vec3 v) { for (int8_t i = int8_t(0); i < 3; i++) put(v[i]); }
float16_t near(uint i) { return uint16BitsToFloat16(uint16_t(words[i % 128u].x & 0x83FFu | words[i % 128u].y & 0x1800u | 0x3000u)); }
int8_t byteAt(uint i) { return int8_t(words[i % 128u].x >> 3); }
uint16_t shortAt(uint i) { return uint16_t(words[i % 128u].y); }
void split(float16_t f, out int8_t whole, inout f16vec2 rest, out float copied) { whole = int8_t(f * 100.0hf); rest.y += fract(f); copied = rest.x; }
int16_t collatz(int16_t n) { int16_t steps = 0s; while (n != 1s && steps < 200s) { n = (n & 1s) == 0s ? n / 2s : 3s * n + 1s; steps++; } return steps; }
Small make(uint o) {
  Small x;
  x.a = byteAt(o); x.b = u8vec3(byteAt(o + 1u), 3, shortAt(o)); x.f = near(o); x.t = near(o + 2u) > 0.0hf; x.d = double(near(o + 3u)); x.z = uint8_t(o);
  x.m = f16mat2x3(near(o), 1, near(o + 1u), 2, near(o + 4u), 3); x.w[0] = i16vec2(shortAt(o)); x.w[1] = i16vec2(7s, o); x.w[2] = x.w[0] * x.w[1];
  return x;
}
void main() {
  uint l = gl_LocalInvocationIndex, o = gl_GlobalInvocationID.x * 9u;
  Small x = make(o), y = make(o + 1u);
  put(x.f * y.f); put(f16vec3(x.b) * x.f / y.f); put(u.turn * (x.m[0].xy + u.scale)); put(x.m * f16vec2(1, y.f)); put(x.m[l & 1u][l % 3u]);
  put(int(x == y)); put(int(x == x)); put(int8_t(x.a + y.a)); put(x.a * y.a); put(x.a / y.a); put(x.a % y.a); put(-x.a); put(~x.b.x); put(int(x.b.z << (l + 5u)));
  put(x.a >> 2); put(shortAt(o) >> l); put(uint16_t(shortAt(o) << 13us) ^ u.mask); put(x.a & y.a); put(x.b.x - x.b.z); put(fixedF[l % 3u]); put(fixedB.x); put(fixedB[l & 1u]);
  x.b[l % 3u] += uint8_t(200); x.b.zy = y.b.xy; x.m[1].y *= 3.0hf; x.w[l % 3u].x |= 255s; x.a--; put(int(x.b[1])); put(x.m[1]); put(int(x.w[0].x)); put(int(x.a++ - ++x.a));
  int8_t whole; f16vec2 rest = f16vec2(1, 2); float both; split(x.f, whole, rest, both); put(rest); put(whole); put(both == 1.0 ? 1 : 0);
  put(l < 2u ? x.f : y.f); put(mix(x.m[0], y.m[1], bvec3(true, false, l == 1u))); put(int(collatz(int16_t(o) + 27s))); put(dot(x.m[0], y.m[1])); put(length(x.m[0]));
  put(sqrt(abs(x.f))); put(fma(x.f, y.f, -1.0hf)); put(exp2(x.f)); put(roundEven(x.f * 10.0hf)); put(clamp(x.a, int8_t(-9), int8_t(9))); put(abs(min(x.a, y.a)));
  put(int8_t(x.f * 1000.0hf)); put(float16_t(words[o].x)); put(uint16_t(x.f * 60000.0hf)); put(float16_t(x.d * 0.1lf)); put(int(bool(x.a))); put(float16_t(x.t)); put(pack32(u8vec4(x.b, x.z)));
  put(int(unpack16(int(words[o].x)).y)); put(determinant(f16mat2(x.m[0].xy, x.m[1].xy))); put(transpose(x.m)[2]);
  meeting[l] = x.f; counts[l] = u8vec3(l, o, 5u);
  memoryBarrierShared();
  barrier();
  put(meeting[l ^ 1u]); put(uint(counts[l ^ 1u][l % 3u])); put(uint(counts[1].y));
}
