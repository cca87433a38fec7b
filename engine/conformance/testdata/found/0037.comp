//: grid 1 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb
//: buffer 1 size 16
//: buffer 2 = 0x0 0x1 0x2 0x3
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; mat2 v3; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void f1(out mat2 p2) {
}
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  mat2 v3 = mat2(vec2(0.0), vec2(0.0));
  f1(v3);
  if ((!(work[gl_GlobalInvocationID.x * 4u + 0u] < 0u))) {
    uint v4 = 0u;
    int v5 = 0;
    float v6 = frexp(0.0, v5);
    v3[1u] = f.xx;
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v3 = v3;
}
