// grid: 1
#version 450
layout(local_size_x = 2) in;
layout(std430, binding = 0) buffer Data { uint v[]; };
uint last(uint at) {
  do { // finds: loop-budget
    at = v[at];
  } while (at != 63u);
  return at;
}
void main() {
  v[32u + gl_LocalInvocationIndex] = last(gl_LocalInvocationIndex);
}
