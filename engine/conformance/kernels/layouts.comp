//: grid 2 1 1
//: buffer 0 random 384 seed 6
//: buffer 1 size 16384
//: buffer 2 size 768
//: buffer 3 size 1024
//: buffer 4 random 64 seed 7
#version 450
// Operators and constructors of matrices, and where their words lie in blocks of every layout.
layout(local_size_x = 4) in;
struct Pair { mat3 m; float f; mat2 n[2]; };
layout(std430, binding = 0) readonly buffer In { float v[]; };
layout(std430, binding = 1) writeonly buffer Out { float results[]; };
layout(std430, row_major, binding = 2) buffer Rows { mat4x3 a; Pair s; mat2x3 b[2]; layout(column_major) mat3x2 c; };
layout(std140, binding = 3) buffer Columns { mat4x3 a; Pair s; mat2x3 b[2]; layout(row_major) mat3x2 c; } cols;
layout(std140, binding = 4) uniform U { layout(row_major) mat4 view; mat3 n; } u;
const mat3 fixed3 = mat3(2.0) * mat3(1, 2, 3, 4, 5, 6, 7, 8, 10);
shared mat2 meeting[4];
uint at = gl_GlobalInvocationID.x * 512u;
void put(float f) { results[at++] = f; }
void put(vec2 f) { put(f.x); put(f.y); }
void put(vec3 f) { put(f.xy); put(f.z); }
void put(vec4 f) { put(f.xyz); put(f.w); }
void put(mat2 m) { put(m[0]); put(m[1]); }
void put(mat3 m) { put(m[0]); put(m[1]); put(m[2]); }
void put(mat4 m) { for (int i = 0; i < m.length(); i++) put(m[i]); }
void put(mat4x3 m) { for (int i = 0; i < 4; i++) for (uint j = 0u; j < 3u; j++) put(m[i][j]); }
void put(mat2x3 m) { put(m[0]); put(m[1]); }
void put(mat3x2 m) { put(m[0]); put(m[1]); put(m[2]); }
float near(int i) { return uintBitsToFloat(floatBitsToUint(v[i]) & 0x81FFFFFFu | 0x3E000000u); }
mat3 make(int o) { return mat3(near(o), near(o + 1), near(o + 2), near(o + 3), near(o + 4), near(o + 5), near(o + 6), near(o + 7), near(o + 8)); }
void main() {
  int o = int(gl_GlobalInvocationID.x) * 30;
  uint l = gl_LocalInvocationIndex;
  mat3 m = make(o), n = make(o + 9);
  mat4 q = mat4(vec4(v[o], v[o + 1], v[o + 2], v[o + 3]), v[o + 4], vec3(near(o + 5), near(o + 6), v[o + 7]), vec4(m[0], o), n[0], 1u);
  put(m * n); put(m * n[1]); put(n[2] * m); put(m + n); put(m - 2.0); put(3 * n); put(m / n); put(-m); put(+m); put(1.0 / m);
  put(mat4x3(q) * q); put(q * vec4(n[0], 2)); put(transpose(q) * q[1]); put(q * q);
  put(mat4(m)); put(mat2(5)); put(mat3(near(o + 2))); put(fixed3); put(mat4x3(q)); put(vec4(mat2(m))); put(vec3(m)); put(float(q)); put(mat2(m[0], 3)); put(mat3(q[0], q[1].xy, 1, ivec3(4, 5, 6)));
  m *= n; put(m); m *= 2.0; put(m); vec3 w = n[0]; w *= m; put(w); n -= m; put(n); put(m++); put(--m); m /= n; put(m); mat2x3 t = mat2x3(m); t *= mat2(n); put(t);
  n[1].zx = vec2(1, 2); n[o % 3][l % 3u] += 4.0; put(n); put(float(m == n)); put(float(m != m));
  meeting[l] = mat2(1, 2, 3, 4) * float(l);
  memoryBarrierShared();
  barrier();
  put(meeting[l ^ 1u]); put(meeting[l][1]);
  put(u.view); put(u.view[1]); put(u.view[l][2]); put(u.n); put(u.view[l].zx);
  if (gl_GlobalInvocationID.x != 0u) return;
  a = mat4x3(q); s.m = m; s.n[1] = mat2(n); b[1] = mat2x3(q); c = mat3x2(q); cols.a = a; cols.s = s; cols.b = b; cols.c = c;
  a[2] = vec3(9, 8, 7); a[3].yz = vec2(6, 5); b[0][1][2] += 3.0; cols.c[1] = vec2(-1, -2); cols.c[2].y *= 4.0; b[1][0]++; s.m *= 2.0; s.n[0][1][0] = 3.25;
  put(a); put(b[1]); put(cols.c); put(c * 2.0);
}
