//: grid 1 1 1
//: buffer 0 = 0xffffffff 0xf 0x8000 0x1fffff 0x7fffffff 0x20 0x80000000 0x7fffffff 0xfffffffe 0xff 0x3fffffff 0x2000000
//: buffer 1 size 12
//: buffer 2 = 0xffffffff 0xf 0x8000 0x1fffff
// Mesa 22.3 took the opposite of > for <=, also for NaN.
#version 450
layout(local_size_x = 1) in;
float g1 = uintBitsToFloat(0x0u);
uint g2 = 0u;
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  {
    work[gl_GlobalInvocationID.x * 4u + 0u] = (all(greaterThan(f.xxy, vec3(0.0))) ? 0u : 1u);
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
