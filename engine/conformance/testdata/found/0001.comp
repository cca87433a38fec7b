//: grid 1 1 1
//: buffer 0 = 0 1 2 3 12 13 14 15
//: buffer 1 size 16
// llvmpipe with LLVM 15 gave the first invocation a most significant word of 12: the product beside it.
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) readonly buffer Source { uvec4 source[]; };
layout(std430, binding = 1) buffer Result { uvec4 results[]; };
void main() {
  uint at = gl_GlobalInvocationID.x;
  uvec4 high = uvec4(0u);
  uvec4 low = uvec4(0u);
  umulExtended(source[at], uvec4(1u), high, low);
  results[2u * at] = high;
  results[2u * at + 1u] = low;
}
