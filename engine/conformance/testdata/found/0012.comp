//: buffer 0 = 0 0xffffffff 0 0
//: buffer 1 size 4
// The word that hides constants had bits that llvmpipe's compiler knew.
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Source { vec4 source[]; };
layout(std430, binding = 1) buffer Result { vec4 rows[]; };
void main() {
  vec4 f = source[0]; float z = 0.0; uint n = floatBitsToUint(f.x);
  z = unpackHalf2x16(0u).y * f.y;
  rows[0].x = z;
}
