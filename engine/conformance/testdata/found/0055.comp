//: grid 1 1 1
//: buffer 0 size 12
//: buffer 1 size 16
//: buffer 2 size 4
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 1) in;
dmat2 g1 = dmat2(dvec2(packDouble2x32(uvec2(0x0u, 0x1u))), dvec2((0.0lf)));
struct Row { uvec4 u; ivec4 i; vec4 f; double v2; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  double v2 = g1[(work[gl_GlobalInvocationID.x * 4u + 0u] % 2u)].x;
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
  rows[at].v2 = v2;
}
