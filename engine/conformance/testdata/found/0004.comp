//: grid 1 1 1
//: buffer 0 = 2 0 1 4
//: buffer 1 size 4
// The reference read registers of the inputs instead of a constant array of module scope.
#version 450
layout(local_size_x = 4) in;
const uint weights[3] = uint[3](30u, 50u, 70u);
layout(std430, binding = 0) readonly buffer Source { uint source[]; };
layout(std430, binding = 1) buffer Result { uint results[]; };
void main() {
  results[gl_LocalInvocationIndex] = weights[source[gl_LocalInvocationIndex] % 3u];
}
