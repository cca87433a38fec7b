//: grid 1 1 1
//: buffer 1 size 16
#version 450
#extension GL_ARB_gpu_shader_int64 : require
// clamp of integers of 64 bits with constants: the compiler of llvmpipe (Mesa 22.3) ends the process.
layout(local_size_x = 4) in;
layout(std430, binding = 1) buffer C { int64_t r[4]; uint64_t q[4]; };
void main() {
  uint i = gl_LocalInvocationIndex;
  int64_t p2 = int64_t(i) * 77l - 50l;
  p2 = (int64_t(0ul) | ((- clamp(p2, int64_t(-7l), int64_t(100l))) + int64_t(0ul)));
  r[i] = p2; q[i] = (0ul - min(0ul, (0ul | clamp(q[i], uint64_t(3ul), uint64_t(1000ul)))));
}
