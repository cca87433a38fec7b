//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
// NVIDIA 580.159: the minimum was 0, as if the result of findMSB were unsigned.
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; ivec2 v1; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  ivec2 v1 = min(findMSB(uvec2(work[gl_GlobalInvocationID.x * 4u + 0u])), ivec2(0));
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v1 = v1;
}
