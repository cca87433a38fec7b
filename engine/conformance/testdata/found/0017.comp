//: grid 1 1 1
//: buffer 0 = 0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb
//: buffer 1 size 12
//: buffer 2 = 0x0 0x1 0x2 0x3
#version 450
layout(local_size_x = 1) in;
struct Row { uvec4 u; ivec4 i; vec4 f; };
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { Row rows[]; };
layout(std430, binding = 2) coherent buffer Work { uint work[]; };
void main() {
  uint lane = gl_LocalInvocationIndex, at = gl_GlobalInvocationID.x;
  uvec4 u = source[at * 3u];
  ivec4 i = ivec4(source[at * 3u + 1u]);
  vec4 f = uintBitsToFloat(source[at * 3u + 2u]);
  for (int i1 = 0; i1 < 1; i1++) {
    switch (0u & 3u) {
    case 0u: {
      switch (0u & 3u) {
      case 0u: {
        if (true) continue;
      }
      break;
      }
    }
    break;
    }
  }
  rows[at].u = u;
  rows[at].i = i;
  rows[at].f = f;
}
