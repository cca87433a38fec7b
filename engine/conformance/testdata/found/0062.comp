//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 12
//: buffer 2 size 4
#version 450
layout(local_size_x = 1) in;
ivec3[1] g1 = ivec3[1](ivec3(0));
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  if ((ivec3[1][1](g1) == ivec3[1][1](ivec3[1](ivec3(0))))) {
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
