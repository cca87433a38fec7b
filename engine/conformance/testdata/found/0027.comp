//: grid 1 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb
//: buffer 1 size 12
//: buffer 2 = 0x0 0x1 0x2 0x3
// NVIDIA 580.159: the loop was not left in its first round, as if -i2 were more.
#version 450
layout(local_size_x = 1) in;
uint g1 = 0u;
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
    int n3 = 0;
    int i2 = int(2147483647u);
    while (true) {
      if (++n3 > 1) break;
      i2 = -i2;
      if (true) { if (i2 < int(2147483650u)) break; }
      f = vec4(0.0);
    }
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
