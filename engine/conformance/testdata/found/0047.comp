//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
//: buffer 7 size 1
#version 450
layout(local_size_x = 1) in;
uvec2 g1 = uvec2(1u);
int g2 = 0;
struct Row { uvec4 u; ivec4 i; vec4 f; uint v3; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { uint[1] cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  uint v3 = ++g1[(g1.y % 2u)];
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v3 = v3;
}
