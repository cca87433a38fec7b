//: grid 1 1 1
//: buffer 0 = 1 2 3 4
//: buffer 1 size 8
// The reference changed the vector while it still read it.
#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) readonly buffer Source { vec4 source[]; };
layout(std430, binding = 1) buffer Result { vec4 results[]; };
void main() {
  vec4 f = source[0];
  f.xywz = f;
  results[0] = f;
  uvec4 list[2] = uvec4[2](floatBitsToUint(f), uvec4(9u));
  list[floatBitsToUint(f.x) & 0u].wzyx = list[0];
  results[1] = uintBitsToFloat(list[0]);
}
