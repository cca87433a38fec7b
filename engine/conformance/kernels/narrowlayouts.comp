//: grid 2 1 1
//: buffer 0 random 256 seed 11
//: buffer 1 size 4096
//: buffer 2 size 1024
//: buffer 3 size 1024
//: buffer 4 random 64 seed 12
//: buffer 5 size 68
#version 450
// Types of 8 and 16 bits in structures, arrays, shared variables and blocks of every layout, as parameters, with indexes that are not constant,
// and components of one word that several invocations write.
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 4) in;
struct Small { int8_t a; u8vec3 b; float16_t f; bool t; f16mat2x3 m; i16vec2 w[3]; double d; uint8_t z; };
layout(std430, binding = 0) readonly buffer In { uvec2 words[]; };
layout(std430, binding = 1) writeonly buffer Out { uint results[]; };
layout(std430, row_major, binding = 2) buffer Rows { uint8_t first; Small a; f16mat3 r; layout(column_major) f16mat4x2 c; i8vec3 p[2]; float16_t s[5]; int count; vec3 v; int64_t n; };
layout(std140, binding = 3) buffer Columns { Small a; f16mat3 r; u16vec3 p[2]; float16_t s[3]; } cols;
layout(std140, binding = 4) uniform U { f16vec2 scale; layout(row_major) f16mat2 turn; uint16_t mask; int8_t steps[3]; } u;
layout(std430, binding = 5) buffer Bytes { uint8_t head; uint8_t bytes[]; };
uint at = gl_GlobalInvocationID.x * 128u;
void put(uint n) { results[at++] = n; }
void put(int n) { put(uint(n)); }
void put(int8_t n) { put(int(n)); }
void put(float16_t f) { put(float16BitsToUint16(f)); }
void put(f16vec2 v) { put(packFloat2x16(v)); }
void put(f16vec3 v) { put(v.xy); put(v.z); }
void put(i8vec3 v) { for (int8_t i = int8_t(0); i < 3; i++) put(v[i]); }
float16_t near(uint i) { return uint16BitsToFloat16(uint16_t(words[i % 128u].x & 0x83FFu | words[i % 128u].y & 0x1800u | 0x3000u)); }
int8_t byteAt(uint i) { return int8_t(words[i % 128u].x >> 3); }
uint16_t shortAt(uint i) { return uint16_t(words[i % 128u].y); }
void split(float16_t f, out int8_t whole, inout f16vec2 rest, out float copied) { whole = int8_t(f * 100.0hf); rest.y += fract(f); copied = rest.x; }
Small make(uint o) {
  Small x;
  x.a = byteAt(o); x.b = u8vec3(byteAt(o + 1u), 3, shortAt(o)); x.f = near(o); x.t = near(o + 2u) > 0.0hf; x.d = double(near(o + 3u)); x.z = uint8_t(o);
  x.m = f16mat2x3(near(o), 1, near(o + 1u), 2, near(o + 4u), 3); x.w[0] = i16vec2(shortAt(o)); x.w[1] = i16vec2(7s, o); x.w[2] = x.w[0] * x.w[1];
  return x;
}
void main() {
  uint l = gl_LocalInvocationIndex, o = gl_GlobalInvocationID.x * 9u;
  Small x = make(o), y = make(o + 1u);
  put(uint(bytes.length()));
  bytes[gl_GlobalInvocationID.x] = uint8_t(x.a); bytes[gl_GlobalInvocationID.x + 9u] += uint8_t(o); bytes[20u + 3u * gl_GlobalInvocationID.x]++;
  if (gl_WorkGroupID.x == 0u) s[l] = near(o + l);
  barrier();
  if (gl_GlobalInvocationID.x != 0u) return;
  switch (x.a & int8_t(3)) { case 0: put(1); break; case 2: put(2); default: put(3); }
  head = uint8_t(300); first = head; a = x; r = f16mat3(x.m); c = f16mat4x2(2.5hf); p[1] = i8vec3(x.a, 2, -3); s[4] = x.f; cols.a = y; cols.r = r * 2.0hf; cols.s[1] = -x.f;
  r[2][1] = 9.0hf; r[1].zx = f16vec2(8, 7); c[3].y -= 1.5hf; p[0].zx = p[1].xy; cols.a.m[1][2] += 0.5hf; cols.a.w[1].y++; cols.r[0] = r[1]; s[0] = s[1] = determinant(r);
  int8_t before = p[1].z--; put(before); put(++p[1].z); cols.p[0].xz = u16vec2(70000u, 3u); cols.p[1] = cols.p[0].zyx;
  atomicAdd(count, 5); count -= 2; put(atomicExchange(count, 77)); v = vec3(1, 2, 3).zyx; v.y *= 0.5; n = -5l; n >>= 1; put(int(n)); put(int(v.z));
  put(r * f16vec3(1, 2, 3)); put(c[2].x); put(p[0]); put(a.m[1]); put(inverse(cols.r)[1]); put(a == x ? 1 : 0); put(a.w[l + 1u].x); put(int(u.steps[1])); split(cols.s[1], p[1].x, a.m[0].xy, v.x); put(p[1]);
}
