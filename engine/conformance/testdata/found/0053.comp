//: grid 2 1 1
//: buffer 0 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a 0x664e36a9 0x13b0ac0b 0xba9c5b00 0x7b35a999 0xbe3f8575 0xe61f8594 0x607739fb 0x3f90d945 0x40b3c0c2 0x5eea3e9 0xbf26ab95 0x7dda84df 0x93cc395c 0xd46460aa 0x2988ab82 0x24df1586 0x49c5f6e2 0x52bf781b 0xcb943969 0xd211b627 0x4acf5111 0x850486f1 0xe210b2a4 0x9ccd1e80 0xee14961e 0x36c25396 0x7248e89 0xaa136579 0xcc11b717 0x2c105c92 0x30e408c6 0xe01b24cf 0xc5bb4fab 0xe40dba06 0x72bc26d8 0x7cbef9bd 0xdbaa8658 0x579c46d2 0x6b7d30d6 0x5f1e43bb 0xb0d17ae1 0x71d902fb 0x5add8e8b 0x5d403be2
//: buffer 1 size 48
//: buffer 2 = 0x38ffff68 0xacfc572d 0x57ec3510 0x70cf668a 0x664e36a9 0x13b0ac0b 0xba9c5b00 0x7b35a999 0xbe3f8575 0xe61f8594 0x607739fb 0x3f90d945 0x40b3c0c2 0x5eea3e9 0xbf26ab95 0x7dda84df
//: buffer 7 size 32
#version 450
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 2) in;
dvec2[4] g1 = dvec2[4](dvec2((0.0lf)), dvec2((0.0lf), packDouble2x32(uvec2(0x0u, 0x0u))), dvec2(packDouble2x32(uvec2(0x0u, 0x1fu))), dvec2((0.0lf), (0.0lf)));
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
layout(std430, binding = 7) buffer Cells { i64vec2[2] cells[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  cells[gl_GlobalInvocationID.x * 1u + 0u][0u][(0u % 2u)] = doubleBitsToInt64(g1[(work[gl_GlobalInvocationID.x * 4u + 0u] % 4u)].x);
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
