//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 20
//: buffer 2 size 4
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; mat2x4 v1; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  mat2x4 v1 = (matrixCompMult((- mat2x4(vec4(0.0), vec4(0.0))), mat2x4(vec4(0.0), vec4(0.0))) / mat2x4(vec4(0.0), vec4(0.0)));
  v1[1u][2u] = 0.0;
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v1 = v1;
}
